"""Whether the place is free: addresses, ports, SELinux, the firewall."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from ipaddress import ip_address

from hardway.checks.host.subject import Host
from hardway.libvirt.firewall import opening
from hardway.model.check import Flaw
from hardway.model.cluster import Cluster

API_PORTS = (6443, 22623)
INGRESS_PORTS = (80, 443)
DELIVERY_PORT = 8443  # hardway deliver
BOOLEAN = "haproxy_connect_any"
ZONE = "libvirt"
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  (compared with)


def addresses(host: Host) -> Iterator[Flaw]:
    cluster = host.planned.cluster
    fix = "give another address in hosts.yaml, or another machineNetwork"
    for node in cluster.nodes:
        for address in node.addresses:
            other = host.machine.neighbours.get(address, node.mac)
            if address in host.machine.addresses:
                yield Flaw(subject=node.name, message=f"its address {address} is this machine's own", fix=fix)
            elif other != node.mac.lower():
                yield Flaw(subject=node.name, message=f"its address {address} belongs to {other}", fix=fix)
    for address in (*cluster.api_vips, *cluster.ingress_vips):
        if other := host.machine.neighbours.get(address, ""):
            yield Flaw(subject="load balancer", message=f"its address {address} belongs to {other}", fix=fix)


def network(host: Host) -> Iterator[Flaw]:
    """The host is in the machine network under an address that nobody planned: it would be two networks."""
    cluster = host.planned.cluster
    known = {*cluster.gateways, *cluster.api_vips, *cluster.ingress_vips, *cluster.dns_servers}
    nodes = {address for node in cluster.nodes for address in node.addresses}
    for address in sorted(host.machine.addresses - known - nodes):
        if any(ip_address(address) in network for network in cluster.machine_networks):
            yield Flaw(
                subject="network",
                message=f"this machine is in the machine network already, as {address}",
                fix="choose another machineNetwork; on a bridged network this is expected",
                severity="warning",
            )


def ports(host: Host) -> Iterator[Flaw]:
    """What listens on every address takes the port away; what listens on a planned one may be this cluster's own."""
    everywhere = {(kind, port): address for kind, address, port in host.machine.listening if address in EVERYWHERE}
    for kind, port, use in _wanted(host.planned.cluster):
        if (kind, port) in everywhere:
            message = f"{kind} port {port} ({use}) is taken: something listens on {everywhere[kind, port]}"
            fix = f"stop it, or bind it to one address; `ss -lp{kind[0]}n sport = :{port}` names it"
            yield Flaw(subject="ports", message=message, fix=fix)


def _wanted(cluster: Cluster) -> Iterator[tuple[str, int, str]]:
    yield from (("tcp", port, "the API's load balancer") for port in API_PORTS)
    yield from (("tcp", port, "the load balancer of *.apps") for port in INGRESS_PORTS)
    yield from ((kind, 53, "DNS for the machines") for kind in ("udp", "tcp"))


def selinux(host: Host) -> Iterator[Flaw]:
    if host.machine.selinux == "enforcing" and host.machine.selinux_booleans.get(BOOLEAN) is False:
        yield Flaw(
            subject="SELinux",
            message=f"{BOOLEAN} is off: HAProxy may neither bind 6443 and 22623 nor reach the nodes",
            fix=f"setsebool -P {BOOLEAN} on",
            commands=(("setsebool", "-P", BOOLEAN, "on"),),
        )


def firewall(host: Host) -> Iterator[Flaw]:
    """Without the zone libvirt has not been started yet, and brings it when it is."""
    let_in = (host.machine.firewall_zones or {}).get(ZONE)
    if let_in is None or "*" in let_in:
        return
    missing = {rule: port for rule, port in _openings(host.planned.cluster) if not {rule, f"{port}/tcp"} & let_in}
    if missing:
        ports = ", ".join(dict.fromkeys(f"{port}/tcp" for port in missing.values()))
        now = ("firewall-cmd", f"--zone={ZONE}", *(f"--add-rich-rule={rule}" for rule in missing))
        yield Flaw(
            subject="firewalld",
            message=f"zone {ZONE} does not let the machines in on {ports}",
            fix=f"{shlex.join(now)}, and the same with --permanent",
            commands=(now, (now[0], "--permanent", *now[1:])),
        )


def _openings(cluster: Cluster) -> Iterator[tuple[str, int]]:
    """Each port at its own addresses and nowhere else: the load balancer's, and the gateway for `hardway deliver`."""
    places = (
        *((vip, port) for port in API_PORTS for vip in cluster.api_vips),
        *((vip, port) for port in INGRESS_PORTS for vip in cluster.ingress_vips),
        *((gateway, DELIVERY_PORT) for gateway in cluster.gateways),
    )
    yield from ((opening(address, port), port) for address, port in places)
