"""The three kinds of network: each by itself, against the others, and whether their families and sizes will do."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

from hardway.model.config.addresses import Interface, contains, overlap
from hardway.model.config.draft import Draft, PodNetwork
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

MACHINES, SERVICES, PODS = "networking.machineNetwork", "networking.serviceNetwork", "networking.clusterNetwork"
LISTS = (MACHINES, SERVICES, PODS)
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


def _lists(draft: Draft) -> tuple[tuple[str, tuple[Interface, ...]], ...]:
    pods = tuple(network.cidr for network in draft.cluster_networks)
    return tuple(zip(LISTS, (draft.machine_networks, draft.service_networks, pods), strict=True))


def _dual(draft: Draft) -> Iterator[Flaw]:
    if len(draft.families) < 2:
        return
    for path, networks in _lists(draft):
        versions = [network.version for network in networks]
        for version in {4, 6}.difference(versions):
            message = f"has no IPv{version} network, but the service networks make the cluster dual-stack"
            yield error(path, message, f"add an IPv{version} network, IPv4 first")
        if versions[0] == 6 and 4 in versions:
            yield error(path, "must list IPv4 before IPv6 on platform none", "put the IPv4 network first")


def _single(draft: Draft) -> Iterator[Flaw]:
    if len(draft.families) != 1:
        return
    version = draft.families[0]
    for path, networks in _lists(draft):
        versions = {network.version for network in networks}
        if version not in versions:
            message = f"has no IPv{version} network, but the services are IPv{version}: nothing could talk to them"
            yield error(path, message, f"give it an IPv{version} network, or the services one of the other family")
        elif len(versions) > 1 and path == PODS:
            message = f"has two families and the services are IPv{version} only: the network operator refuses that"
            yield warn(path, message, "give all three lists the same families")


def _service_count(draft: Draft) -> Iterator[Flaw]:
    networks, families = draft.service_networks, draft.families
    if len(networks) > len(families):
        wanted = "one network of each family" if len(families) == 2 else "one network"
        yield error(SERVICES, f"has {len(networks)} networks; kube-apiserver takes {wanted}", "remove the others")


def _service_size(draft: Draft) -> Iterator[Flaw]:
    for index, cidr in enumerate(draft.service_networks):
        path, network = f"{SERVICES}[{index}]", cidr.network
        shortest, usual = (12, 16) if network.version == 4 else (108, 112)
        if network.prefixlen < shortest:
            message = f"{network} is larger than kube-apiserver supports: /{shortest} is the most"
            yield error(path, message, f"use a /{usual}")
        elif network.num_addresses < 2:
            message = f"{network} has one address, and the API's own Service needs the second"
            yield error(path, message, f"use a /{usual}")
        elif network.num_addresses < 8:
            count = network.num_addresses
            message = f"{network} has {count} addresses; kube-apiserver will not start with fewer than 8"
            yield warn(path, message, f"use a /{usual}")
        elif network.num_addresses <= 10:
            message = f"{network} has no tenth address, which every kubelet uses as the cluster's DNS"
            yield warn(path, message, f"use a /{usual}")
        elif network.num_addresses < 256:
            message = f"{network} has {network.num_addresses} addresses, and the operators alone may need more"
            yield warn(path, message, f"use a /{usual}")


def _host_prefix(draft: Draft) -> Iterator[Flaw]:
    for index, network in enumerate(draft.cluster_networks):
        if network.host_prefix or draft.text("networking.networkType") == "OVNKubernetes":
            yield from _prefix_of(network, f"{PODS}[{index}].hostPrefix")


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
            yield warn(PODS, f"{message}: the others get no pods", "widen the network or raise hostPrefix")


def _pieces(network: PodNetwork) -> int:
    spare = network.host_prefix - network.cidr.network.prefixlen
    return 1 << spare if 0 <= spare <= 128 else 0


RULES = (
    Rule("network.address", (), _address),
    Rule("network.overlap", (), _overlap),
    Rule("network.unusable", (), _unusable),
    Rule("network.bridge", (), _bridges),
    Rule("network.example", LISTS[:2], _examples),
    Rule("network.mtu", ("networking.clusterNetworkMTU",), _mtu),
    Rule("network.dual-stack", LISTS, _dual),
    Rule("network.family", LISTS, _single),
    Rule("network.service-count", (SERVICES,), _service_count),
    Rule("network.service-size", (SERVICES,), _service_size),
    Rule("network.host-prefix", (PODS, "networking.networkType"), _host_prefix),
    Rule("network.capacity", (PODS, SERVICES, "controlPlane.replicas", "compute"), _capacity),
)
