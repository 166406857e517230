"""dnsmasq.conf from the table of records."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.cluster import Cluster
from hardway.network.dns.records import BY_NAME, by_addresses, hosts, services
from hardway.network.mark import comment, mark

NAME = "dnsmasq.conf"

_HEAD = """\
# Other names go to the servers of this machine's /etc/resolv.conf, which must not name dnsmasq itself.
domain-needed
bogus-priv
# Names come from this file alone, not from what this machine's own /etc/hosts happens to say.
no-hosts
# Listens where the nodes ask and nowhere else: a server that answers the whole internet is used to attack others.
# Addresses may come and go; other name servers of this machine are left alone.
bind-dynamic
"""


def config(cluster: Cluster) -> str:
    listen = [f"listen-address={address}" for address in cluster.dns_servers]
    lines = [
        mark(cluster, NAME),
        _HEAD.rstrip("\n"),
        *listen,
        "",
        *_local(cluster),
        "",
        *_hosts(cluster),
        *_wildcard(cluster),
    ]
    return "\n".join([*lines, *_services(cluster)]) + "\n"


def _local(cluster: Cluster) -> Iterator[str]:
    yield from comment(
        "This server alone answers for the cluster's domain: a name that is not below does not exist, and no "
        "upstream server with a catch-all record is asked (F34)."
    )
    yield f"local=/{cluster.domain}/"


def _hosts(cluster: Cluster) -> Iterator[str]:
    """One line per set of addresses: the first name is also the reverse record's."""
    told: set[str] = set()
    yield from comment("The first name of a line is the one that the reverse record of its addresses gives (F15).")
    for addresses, group in by_addresses(cluster).items():
        for row in [h.row for h in group if h.row not in told]:
            told.add(row)
            yield from comment(f"{row}: {BY_NAME[row].why.what}")
        yield f"host-record={','.join([*(h.name for h in group), *addresses])}"


def _wildcard(cluster: Cluster) -> Iterator[str]:
    for host in hosts(cluster):
        if host.name.startswith("*."):
            yield ""
            yield from comment(f"{host.row}: {BY_NAME[host.row].why.what}")
            below = host.name.removeprefix("*.")
            yield from (f"address=/{below}/{address}" for address in host.addresses)
            yield from comment("Without this line a query for the other address family would get NXDOMAIN.")
            yield f"local=/{below}/"


def _services(cluster: Cluster) -> Iterator[str]:
    name, found = services(cluster)
    yield ""
    yield from comment("etcd's members as a service, for tools that discover them; priority 0, weight 10.")
    for service in found:
        yield f"srv-host={name},{service.target},{service.port},{service.priority},{service.weight}"
