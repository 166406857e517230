"""The lab's network: a bridge in a namespace of its own, one namespace a node, and one link to the machine itself.

The bridge has the gateway's and the load balancer's addresses. It is not on the machine's own network stack: firewall
rules of the machine do not see what nodes say to each other, and no port of the machine is taken.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path

from hardway.lab import pods
from hardway.lab.owner import claim, marked
from hardway.lab.paths import BALANCER, LabPaths
from hardway.model.cluster import Cluster, Network, Node
from hardway.model.errors import ConfigError
from hardway.tools.run import attempt, run

NAMESPACES = Path("/run/netns")
BRIDGE = "bridge"  # inside the namespace, where names need not be unique
HARDWARE = "02:00:00:00:00:01"
"""The bridge's own address. Without one it would take its lowest port's: with each node that is plugged in it might
change, and for half a minute nobody would find the load balancer."""
CARD = "eth0"  # on a node
LOOKED_AT = 256  # addresses at the end of a network


def up(paths: LabPaths, cluster: Cluster) -> None:
    """The bridge and the link; what is there already stays. The link comes last: where it is, the rest is."""
    claim(paths)
    hub = paths.namespace(BALANCER)
    if marked(paths) is None:
        _new_namespace(hub)
        _ip(hub, "link", "set", "dev", "lo", "up")
        _forward(hub)
        _ip(hub, "link", "add", BRIDGE, "address", HARDWARE, "type", "bridge")
        for address in own_addresses(cluster):
            _ip(hub, "address", "add", _long(address, cluster), "dev", BRIDGE, *_at_once(address))
        _ip(hub, "link", "set", "dev", BRIDGE, "up")
        _plug(paths, "machine", ["name", paths.link])
        _ip(hub, "link", "set", "dev", paths.link, "alias", paths.mark)
        _ip(hub, "link", "set", "dev", paths.link, "netns", str(os.getpid()))
    for address in machine_addresses(cluster):
        run(["ip", "address", "replace", _long(address, cluster), "dev", paths.link, *_at_once(address)])
    _guard(paths.link)
    run(["ip", "link", "set", "dev", paths.link, "up"])


def _guard(link: str) -> None:
    """What comes from nodes is for this machine and from nodes: it is not passed on to other networks, does not come
    under others' addresses, and does not tell this machine its ways and addresses."""
    settings = ["ipv4.conf.{}.forwarding=0", "ipv4.conf.{}.rp_filter=1", "ipv4.conf.{}.accept_redirects=0"]
    settings += ["ipv6.conf.{}.forwarding=0", "ipv6.conf.{}.accept_ra=0", "ipv6.conf.{}.accept_redirects=0"]
    run(["sysctl", "--quiet", "--write", *(f"net.{row.format(link)}" for row in settings)])


def attach(paths: LabPaths, cluster: Cluster, node: Node, *, running: bool) -> None:
    """A namespace with the node's card, plugged into the bridge. The node sets its addresses itself, from Ignition. A
    machine that is off has no addresses, routes or rules any more: unless it runs, all of this is made anew."""
    hub, inside, port = paths.namespace(BALANCER), paths.namespace(node.name), f"{node.role}-{node.index}"
    if not running:
        attempt(["ip", "-netns", hub, "link", "del", "dev", port])  # with its other end; there may be none yet
        _new_namespace(inside)
        _plug(paths, port, ["name", CARD, "address", node.mac, "netns", inside])
    for subnet, way in pods.routes(cluster, node):
        _ip(hub, "route", "replace", subnet, "via", way, "dev", BRIDGE)


def _plug(paths: LabPaths, port: str, peer: list[str]) -> None:
    hub = paths.namespace(BALANCER)
    _ip(hub, "link", "add", port, "type", "veth", "peer", *peer)
    _ip(hub, "link", "set", "dev", port, "master", BRIDGE, "up")


def _forward(namespace: str) -> None:
    """The gateway passes pods' packets on from node to node, and does not tell nodes of shorter ways."""
    path = os.fspath(NAMESPACES / namespace)
    settings = ["net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1", "net.ipv4.conf.all.send_redirects=0"]
    run(["nsenter", f"--net={path}", "--", "sysctl", "--quiet", "--write", *settings])


def down(paths: LabPaths) -> None:
    for name in namespaces(paths):
        run(["ip", "netns", "del", name])
    if marked(paths) is not None:
        attempt(["ip", "link", "del", "dev", paths.link])  # the kernel may have removed it with its other end


def namespaces(paths: LabPaths) -> list[str]:
    return sorted(p.name for p in NAMESPACES.glob(f"{paths.prefix}*"))


def own_addresses(cluster: Cluster) -> list[str]:
    """What the infrastructure answers on: gateway, names (unless somebody else's) and load balancer, each once."""
    names = [a for a in cluster.dns_servers if any(_within(a, n) for n in cluster.machine_networks)]
    return list(dict.fromkeys((*cluster.gateways, *names, *cluster.api_vips, *cluster.ingress_vips)))


def machine_addresses(cluster: Cluster) -> list[str]:
    """The machine's own, one per family: the last of the network that nobody else has."""
    taken = {*own_addresses(cluster), *(a for n in cluster.nodes for a in n.addresses)}
    first = {network.version: network for network in reversed(cluster.machine_networks)}
    return [_last_free(network, taken) for network in first.values()]


def _last_free(network: Network, taken: set[str]) -> str:
    for number in range(1, min(network.num_addresses - 1, LOOKED_AT)):
        if (address := str(network.broadcast_address - number)) not in taken:
            return address
    raise ConfigError(
        f"networking.machineNetwork: {network} has no address left for this machine itself.\n    fix: use a larger one"
    )


def routes() -> Iterator[tuple[Network, str]]:
    """The networks this machine knows its way to, the default route apart."""
    for family in ("-4", "-6"):
        for route in json.loads(run(["ip", "-json", family, "route", "show"]) or "[]"):
            if route["dst"] != "default" and not route["dst"].startswith(("fe80::", "ff00::")):
                yield ip_network(route["dst"], strict=False), route.get("dev", "another device")


def _new_namespace(name: str) -> None:
    """A fresh one: what an interrupted start left is not finished."""
    if (NAMESPACES / name).exists():
        run(["ip", "netns", "del", name])
    run(["ip", "netns", "add", name])


def _ip(namespace: str, *words: str) -> None:
    run(["ip", "-netns", namespace, *words])


def _within(address: str, network: Network) -> bool:
    return ip_address(address).version == network.version and ip_address(address) in network


def _long(address: str, cluster: Cluster) -> str:
    """With the length of its network; one outside of the machine networks stands alone."""
    found = (n.prefixlen for n in cluster.machine_networks if _within(address, n))
    return f"{address}/{next(found, ip_address(address).max_prefixlen)}"


def _at_once(address: str) -> list[str]:
    """IPv6 asks around first whether an address is taken, and is not usable meanwhile."""
    return ["nodad"] if ip_address(address).version == 6 else []


def command(paths: LabPaths, what: str, words: list[str]) -> list[str]:
    """The same command in a namespace of the lab, with the machine's files; `ip netns exec` would remount /sys."""
    return ["nsenter", f"--net={os.fspath(NAMESPACES / paths.namespace(what))}", "--", *words]
