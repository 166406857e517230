"""The cluster's network in libvirt: NAT with DHCP and DNS of its own, or an existing bridge of the host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from xml.etree.ElementTree import Element, SubElement

from hardway.libvirt.choices import Choices
from hardway.libvirt.identity import DNSMASQ, MARK, Identity, mark
from hardway.model.cluster import Cluster
from hardway.network.dns.records import hosts, services


def network_xml(
    cluster: Cluster,
    identity: Identity,
    choices: Choices,
    recorded: Iterable[str] = (),
    rules: Mapping[str, str] | None = None,
    gone: Iterable[str] = (),
) -> Element:
    """What this cluster put on the host itself is written down here, so that exactly it can be removed: addresses on
    an existing bridge (`recorded`), and firewall rules with their zone. So are machines that are gone for good."""
    root = Element("network")
    SubElement(root, "name").text = identity.infra_id
    SubElement(root, "uuid").text = identity.uuid("network")
    seal = mark(root, identity)
    for address in recorded:
        SubElement(seal, f"{{{MARK}}}vip", address=address, bridge=choices.bridge)
    for text, zone in (rules or {}).items():
        SubElement(seal, f"{{{MARK}}}rule", text=text, zone=zone)
    for node in gone:
        SubElement(seal, f"{{{MARK}}}gone", node=node)
    if choices.bridge:
        SubElement(root, "forward", mode="bridge")
        SubElement(root, "bridge", name=choices.bridge)
        return root
    _nat(root, cluster, identity)
    _dns(root, cluster)
    _addresses(root, cluster, choices)
    _wildcards(root, cluster)
    return root


def vips(cluster: Cluster) -> list[str]:
    """The load balancer's addresses, each once; one that belongs to a node or the gateway is there already."""
    taken = {*cluster.gateways, *(a for n in cluster.nodes for a in n.addresses)}
    return [a for a in dict.fromkeys((*cluster.api_vips, *cluster.ingress_vips)) if a not in taken]


def _nat(root: Element, cluster: Cluster, identity: Identity) -> None:
    forward = SubElement(root, "forward", mode="nat")
    if any(n.version == 6 for n in cluster.machine_networks):
        SubElement(forward, "nat", ipv6="yes")
    SubElement(root, "bridge", name=identity.bridge)
    SubElement(root, "domain", name=cluster.domain, localOnly="yes")


def _dns(root: Element, cluster: Cluster) -> None:
    dns = SubElement(root, "dns", enable="yes")
    name, found = services(cluster)
    service, protocol, domain = name.split(".", 2)
    for row in found:
        SubElement(
            dns,
            "srv",
            service=service.removeprefix("_"),
            protocol=protocol.removeprefix("_"),
            domain=domain,
            target=row.target,
            port=str(row.port),
            weight=str(row.weight),
        )
    for address, names in names_by_address(cluster).items():
        entry = SubElement(dns, "host", ip=address)
        for text in names:
            SubElement(entry, "hostname").text = text


def names_by_address(cluster: Cluster) -> dict[str, list[str]]:
    """In the table's order: the first name of an address is its reverse record."""
    names: dict[str, list[str]] = {}
    for host in hosts(cluster):
        if not host.name.startswith("*."):
            for address in host.addresses:
                names.setdefault(address, []).append(host.name)
    return names


def _addresses(root: Element, cluster: Cluster, choices: Choices) -> None:
    for gateway in cluster.gateways:
        address = ip_address(gateway)
        prefix = next(n.prefixlen for n in cluster.machine_networks if n.version == address.version and address in n)
        entry = SubElement(root, "ip", _ip(gateway, prefix))
        if address.version == 4:
            _leases(SubElement(entry, "dhcp"), cluster)
    for vip in vips(cluster) if choices.vips else ():
        SubElement(root, "ip", _ip(vip, ip_address(vip).max_prefixlen))


def _ip(address: str, prefix: int) -> dict[str, str]:
    return {"family": f"ipv{ip_address(address).version}", "address": address, "prefix": str(prefix)}


def _leases(dhcp: Element, cluster: Cluster) -> None:
    for node in cluster.nodes:
        address = next(a for a in node.addresses if ip_address(a).version == 4)
        SubElement(dhcp, "host", mac=node.mac, name=node.name, ip=address)


def _wildcards(root: Element, cluster: Cluster) -> None:
    options = SubElement(root, f"{{{DNSMASQ}}}options")
    for host in hosts(cluster):
        if host.name.startswith("*."):
            below = host.name.removeprefix("*.")
            lines = [f"local=/{below}/", *(f"address=/{below}/{a}" for a in host.addresses)]
            for line in lines:
                SubElement(options, f"{{{DNSMASQ}}}option", value=line)
