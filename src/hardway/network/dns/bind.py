"""Zones for BIND from the table of records: the cluster's domain, and one reverse zone per piece of network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_address

from hardway.model.cluster import Cluster
from hardway.network.dns.records import BY_NAME, hosts, kind_of, reverse, services
from hardway.network.mark import comment, mark

NAME = "named.conf.hardway"
OWN_LABELS = {4: 1, 6: 16}  # of an address in its reverse zone: zones of a /24 and of a /64, as they are delegated
_ELSEWHERE = "; belongs into another zone: "


def files(cluster: Cluster) -> dict[str, str]:
    """File name to content: the statements to include in named.conf, and the zones they name."""
    zones = {cluster.domain: _forward(cluster)}
    zones |= {zone: _reverse(cluster, zone, found) for zone, found in reverse_zones(cluster).items()}
    return {NAME: _statements(cluster, zones)} | {f"db.{zone}": text for zone, text in zones.items()}


def reverse_zones(cluster: Cluster) -> dict[str, dict[str, str]]:
    """Zone to its records: address to name."""
    zones: dict[str, dict[str, str]] = {}
    for address, name in reverse(cluster).items():
        zones.setdefault(_zone_of(address), {})[address] = name
    return zones


def _zone_of(address: str) -> str:
    parsed = ip_address(address)
    return ".".join(parsed.reverse_pointer.split(".")[OWN_LABELS[parsed.version] :])


def _statements(cluster: Cluster, zones: Mapping[str, str]) -> str:
    lines = [mark(cluster, NAME, "//")]
    lines += comment(
        "Include it in named.conf and put the db files into named's directory. A reverse zone covers the whole "
        "network block: if another server has it already, move the PTR records there.",
        sign="//",
    )
    lines += [f'zone "{zone}" {{ type primary; file "db.{zone}"; }};' for zone in zones]
    return "\n".join(lines) + "\n"


def _head(cluster: Cluster, zone: str) -> Iterator[str]:
    yield mark(cluster, f"db.{zone}", ";")
    yield "$TTL 300"
    yield f"$ORIGIN {zone}."
    yield from comment("Serial, refresh, retry, expire, and how long `no such name` is remembered.", sign=";")
    yield from comment("Raise the serial with each change if there are secondary servers.", sign=";")
    yield f"@ IN SOA ns.{cluster.domain}. hostmaster.{cluster.domain}. ( 1 3600 600 604800 60 )"
    yield f"@ IN NS ns.{cluster.domain}."


def _forward(cluster: Cluster) -> str:
    lines = [*_head(cluster, cluster.domain), *comment("The servers that the nodes ask.", sign=";")]
    lines += [f"ns.{cluster.domain}. IN {kind_of(a)} {a}" for a in cluster.dns_servers]
    told: set[str] = set()
    for host in hosts(cluster):
        if host.row not in told:
            told.add(host.row)
            lines += ["", *comment(f"{host.row}: {BY_NAME[host.row].why.what}", sign=";")]
        inside = host.name.endswith(f".{cluster.domain}")
        lines += [f"{'' if inside else _ELSEWHERE}{host.name}. IN {kind_of(a)} {a}" for a in host.addresses]
    name, found = services(cluster)
    lines += [f"{name}. IN SRV {s.priority} {s.weight} {s.port} {s.target}." for s in found]
    return "\n".join(lines) + "\n"


def _reverse(cluster: Cluster, zone: str, found: Mapping[str, str]) -> str:
    lines = [*_head(cluster, zone), *comment(BY_NAME["nodes"].why.what, sign=";")]
    lines += [f"{ip_address(address).reverse_pointer}. IN PTR {name}." for address, name in found.items()]
    return "\n".join(lines) + "\n"
