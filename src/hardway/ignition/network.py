"""A machine's network profile: static addresses, bound to the card and not to its name."""

from __future__ import annotations

from ipaddress import ip_address

from hardway.model.cluster import Cluster, Node

ID = "machine-network"
"""OVN's setup script owns br-ex, ovs-if-* and ovs-port-*; a profile of these names would be taken for its leftovers."""

PRIORITY = 1
"""Above the profiles that a system has itself, which have 0 or less; below the 100 of ovs-if-phys0, with which that
script puts the same card under br-ex: of two equal ones NetworkManager may start either after a restart."""

PATH = f"/etc/NetworkManager/system-connections/{ID}.nmconnection"


def keyfile(cluster: Cluster, node: Node) -> str:
    """The only profile, and with one gateway per family the only default route."""
    sections = [
        ["[connection]", f"id={ID}", "type=ethernet", "autoconnect=true", f"autoconnect-priority={PRIORITY}"],
        ["[ethernet]", f"mac-address={node.mac.upper()}"],
        _family(cluster, node, 4),
        _family(cluster, node, 6),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def _family(cluster: Cluster, node: Node, version: int) -> list[str]:
    address = next((a for a in node.addresses if ip_address(a).version == version), None)
    if address is None:
        return [f"[ipv{version}]", "method=disabled"]
    lines = [f"[ipv{version}]", "method=manual", f"address1={address}/{prefix(cluster, address)}"]
    lines += [f"gateway={g}" for g in cluster.gateways if ip_address(g).version == version][:1]
    servers = [s for s in cluster.dns_servers if ip_address(s).version == version]
    if servers:
        lines.append(f"dns={';'.join(servers)};")
    return [*lines, f"dns-search={cluster.domain};", "may-fail=false"]


def prefix(cluster: Cluster, address: str) -> int:
    """The length of the machine network that the address lies in."""
    found = ip_address(address)
    return next(n.prefixlen for n in cluster.machine_networks if n.version == found.version and found in n)
