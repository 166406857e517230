"""The three kinds of network, each by itself and against the others."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

from hardway.model.config.addresses import contains, overlap
from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

LISTS = ("networking.machineNetwork", "networking.serviceNetwork", "networking.clusterNetwork")
_BRIDGES = ((ip_network("172.17.0.0/16"), "docker"), (ip_network("10.88.0.0/16"), "podman"))
_EXAMPLES = (ip_network("192.0.2.0/24"), ip_network("2001:db8::/32"))


def _address(draft: Draft) -> Iterator[Flaw]:
    for path, cidr in draft.networks:
        if cidr.ip.is_unspecified:
            yield error(path, f"{cidr} is the unspecified address, not a network", "write a network of your own")
        elif cidr.ip != cidr.network.network_address:
            yield error(path, f"{cidr} has bits set after its prefix", f"write {cidr.network}")


def _overlap(draft: Draft) -> Iterator[Flaw]:
    networks = draft.networks
    for index, (path, cidr) in enumerate(networks):
        for other_path, other in networks[:index]:
            if overlap(cidr, other):
                message = f"{cidr.network} overlaps {other.network} of {other_path.removesuffix('.cidr')}"
                yield error(path, message, "choose a network that no other list uses")


def _unusable(draft: Draft) -> Iterator[Flaw]:
    for path, cidr in draft.networks:
        if cidr.ip.is_loopback or cidr.ip.is_multicast:
            kind = "loopback" if cidr.ip.is_loopback else "multicast"
            yield error(path, f"{cidr.network} is {kind} space, which no machine can use", "choose a private network")


def _bridges(draft: Draft) -> Iterator[Flaw]:
    for path, cidr in draft.networks:
        for bridge, program in _BRIDGES:
            if overlap(cidr, bridge):
                message = f"{cidr.network} overlaps {bridge}, {program}'s default bridge"
                yield warn(path, f"{message}: a machine that runs it cannot reach that part", "choose another network")


def _examples(draft: Draft) -> Iterator[Flaw]:
    """The render looks at the list up to the first network of the cluster's main family."""
    versions = [cidr.version for cidr in draft.machine_networks]
    last = versions.index(draft.families[0]) if draft.families[0] in versions else 0
    for index, cidr in enumerate(draft.machine_networks[: last + 1]):
        if any(contains(example, cidr.ip) for example in _EXAMPLES):
            message = (
                f"{cidr.network} is reserved for examples: the etcd operator's render refuses it on the bootstrap "
                "machine"
            )
            yield warn(f"networking.machineNetwork[{index}].cidr", message, "use a private network such as 10.0.0.0/16")


def _mtu(draft: Draft) -> Iterator[Flaw]:
    if draft.values["networking"].get("clusterNetworkMTU"):
        yield error("networking.clusterNetworkMTU", "may be set on AWS only", "remove it: the nodes' interfaces decide")


RULES = (
    Rule("network.address", (), _address),
    Rule("network.overlap", (), _overlap),
    Rule("network.unusable", (), _unusable),
    Rule("network.bridge", (), _bridges),
    Rule("network.example", LISTS[:2], _examples),
    Rule("network.mtu", ("networking.clusterNetworkMTU",), _mtu),
)
