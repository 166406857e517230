"""The network plugin and the networks that OVN-Kubernetes keeps for itself."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

from hardway.model.config.addresses import Interface, Network, overlap
from hardway.model.config.draft import Draft
from hardway.model.config.rules.networks import LISTS
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_TYPE = "networking.networkType"
JOIN = "networking.ovnKubernetesConfig.ipv4.internalJoinSubnet"
_OVN = "networking.ovnKubernetesConfig"
_INTERNAL: tuple[tuple[str, Network], ...] = (
    ("join", ip_network("100.64.0.0/16")),
    ("transit", ip_network("100.88.0.0/16")),
    ("masquerade", ip_network("169.254.0.0/17")),
    ("join", ip_network("fd98::/64")),
    ("transit", ip_network("fd97::/64")),
    ("masquerade", ip_network("fd69::/112")),
)


def _plugin(draft: Draft) -> Iterator[Flaw]:
    name = draft.text(_TYPE)
    if name in ("OpenShiftSDN", "Kuryr"):
        yield error(_TYPE, f"{name} was removed in 4.15", "write OVNKubernetes")
    elif name.lower() == "ovnkubernetes" and name != "OVNKubernetes":
        yield warn(_TYPE, f"is spelled {name!r}; only some readers overlook that", "write OVNKubernetes")
    elif name != "OVNKubernetes":
        message = f"{name!r} is not a plugin of the release: nodes stay NotReady until its own manifests are applied"
        yield warn(_TYPE, message, "add the plugin's manifests, or write OVNKubernetes")


def _join_plugin(draft: Draft) -> Iterator[Flaw]:
    if _OVN.removeprefix("networking.") in draft.values["networking"] and not _is_ovn(draft):
        yield error(_TYPE, "is not OVNKubernetes, but ovnKubernetesConfig is given", "remove one of the two")


def _join_network(draft: Draft) -> Iterator[Flaw]:
    join = draft.join_subnet
    if join is None:
        return
    if join.version == 6:
        yield error(JOIN, f"{join} is IPv6, and this field is for IPv4", "write an IPv4 network")
    elif join.ip.is_unspecified or join.ip != join.network.network_address:
        yield error(JOIN, f"{join} is not a network address", f"write {join.network}")
    else:
        yield from _join_room(draft, join)


def _join_room(draft: Draft, join: Interface) -> Iterator[Flaw]:
    for path, cidr in draft.networks:
        if overlap(join, cidr):
            message = f"{join.network} overlaps {cidr.network} of {path.removesuffix('.cidr')}"
            yield error(JOIN, message, "choose a network that is used nowhere")
    pods = [n for n in draft.cluster_networks if n.cidr.version == 4]
    spare = [n.host_prefix - n.cidr.network.prefixlen for n in pods]
    if any(bits < 0 for bits in spare):
        yield error(JOIN, "cannot be checked, because a hostPrefix is wrong", "correct hostPrefix first")
    elif any(bits > 32 for bits in spare) or sum(1 << bits for bits in spare) >= join.network.num_addresses - 3:
        message = f"{join.network} is too small: it needs an address for every node that the pod network has room for"
        yield error(JOIN, message, "use a /16")


def _reserved(draft: Draft) -> Iterator[Flaw]:
    if not _is_ovn(draft):
        return
    for path, cidr in draft.networks:
        for use, network in _INTERNAL:
            own_join = use == "join" and network.version == 4 and draft.join_subnet is not None
            if overlap(cidr, network) and not own_join:
                message = (
                    f"{cidr.network} overlaps {network}, OVN's internal {use} network: nodes cannot reach that part"
                )
                yield warn(path, message, _way_out(use, network))


def _way_out(use: str, network: Network) -> str:
    if use == "join" and network.version == 4:
        return f"choose another network, or set {JOIN}"
    return "choose another network"


def _is_ovn(draft: Draft) -> bool:
    return draft.text(_TYPE).lower() == "ovnkubernetes"


RULES = (
    Rule("network.plugin", (_TYPE,), _plugin),
    Rule("network.join-plugin", (_TYPE, _OVN), _join_plugin),
    Rule("network.join", (*LISTS, _OVN), _join_network),
    Rule("network.reserved", (*LISTS, _TYPE, _OVN), _reserved),
)
