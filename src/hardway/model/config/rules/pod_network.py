"""The pods' network: the piece per node, and whether there is one for every node."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.draft import Draft, PodNetwork
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_PATH = "networking.clusterNetwork"


def _host_prefix(draft: Draft) -> Iterator[Flaw]:
    for index, network in enumerate(draft.cluster_networks):
        if network.host_prefix or draft.text("networking.networkType") == "OVNKubernetes":
            yield from _prefix_of(network, f"{_PATH}[{index}].hostPrefix")


def _prefix_of(network: PodNetwork, path: str) -> Iterator[Flaw]:
    length, bits, prefix = network.cidr.network.prefixlen, network.cidr.max_prefixlen, network.host_prefix
    usual = "write hostPrefix: 64" if bits == 128 else f"write hostPrefix: {max(23, length)}"
    if prefix == 0:
        yield error(path, "is missing: there is no default for an entry of this list", usual)
    elif prefix < length:
        message = f"is {prefix}, so a node's subnet would be larger than the whole network /{length}"
        yield error(path, message, usual)
    elif bits == 128 and prefix != 64:
        yield error(path, f"is {prefix}, and a node's subnet of an IPv6 network must be a /64", usual)
    elif prefix > bits:
        yield error(path, f"is {prefix}, and an address of this family has {bits} bits", usual)
    elif prefix > bits - 2:
        message = f"is {prefix}, which leaves no address for a pod: the network operator accepts {bits - 2} at most"
        yield warn(path, message, usual)


def _capacity(draft: Draft) -> Iterator[Flaw]:
    nodes = draft.control_plane.replicas + draft.workers
    for version in draft.families:
        networks = [n for n in draft.cluster_networks if n.cidr.version == version]
        pieces = sum(_pieces(network) for network in networks)
        if networks and 0 < pieces < nodes:
            message = f"has room for {pieces} nodes in IPv{version}, and {nodes} are planned"
            yield warn(_PATH, f"{message}: the others get no pods", "widen the network or raise hostPrefix")


def _pieces(network: PodNetwork) -> int:
    spare = network.host_prefix - network.cidr.network.prefixlen
    return 1 << spare if 0 <= spare <= 128 else 0


RULES = (
    Rule("network.host-prefix", (_PATH, "networking.networkType"), _host_prefix),
    Rule("network.capacity", (_PATH, "networking.serviceNetwork", "controlPlane.replicas", "compute"), _capacity),
)
