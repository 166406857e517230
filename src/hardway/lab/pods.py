"""The pods' network in place of OVN: each node has a piece of it on a bridge, and the gateway knows the way to each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from hardway.lab.deviations.row import Given
from hardway.model.cluster import Cluster, ClusterNetwork, Network, Node
from hardway.model.errors import ConfigError

EVERYWHERE = {4: "0.0.0.0/0", 6: "::/0"}


def subnets(cluster: Cluster, node: Node) -> tuple[Network, ...]:
    """The node's piece of the first pod network of each family: its place in the plan decides which."""
    number = cluster.nodes.index(node)
    first: dict[int, ClusterNetwork] = {}
    for network in cluster.cluster_networks:
        first.setdefault(network.cidr.version, network)
    return tuple(_piece(network, number) for network in first.values())


def _piece(network: ClusterNetwork, number: int) -> Network:
    pieces: Iterator[Network] = network.cidr.subnets(new_prefix=network.host_prefix)
    found = next(islice(pieces, number, None), None)
    if found is None:
        raise ConfigError(
            f"networking.clusterNetwork: {network.cidr} has no /{network.host_prefix} for node number {number + 1}.\n"
            "    fix: make the network larger, or hostPrefix"
        )
    return found


def routes(cluster: Cluster, node: Node) -> list[tuple[str, str]]:
    """For the gateway: to the node's pods, by way of the node."""
    by_version = {_version(address): address for address in node.addresses}
    return [(str(s), by_version[s.version]) for s in subnets(cluster, node) if s.version in by_version]


def _version(address: str) -> int:
    return 6 if ":" in address else 4


def cni(given: Given) -> str:
    """The configuration for Debian's bridge plugin, where the render lets CRI-O look for OVN's."""
    found = subnets(given.cluster, given.node)
    bridge = {
        "type": "bridge",
        "bridge": "pods",
        "isGateway": True,
        "hairpinMode": True,
        "ipam": {
            "type": "host-local",
            "ranges": [[{"subnet": str(subnet)}] for subnet in found],
            "routes": [{"dst": EVERYWHERE[subnet.version]} for subnet in found],
        },
    }
    ports = {"type": "portmap", "capabilities": {"portMappings": True}}
    return json.dumps({"cniVersion": "1.0.0", "name": "lab", "plugins": [bridge, ports]}, indent=2) + "\n"
