"""Names and the load balancer: the lab's own servers, with files that somebody has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from hardway.drive.client import Trouble
from hardway.lab import cgroups, services
from hardway.network.dns import dnsmasq
from hardway.network.haproxy import config as haproxy
from tests.lab.plants.row import MASTER, WORKER, Plant, Planting, changed
from tests.lab.wholes import Whole
from tests.support.waiting import until

Change = Callable[[str, Whole], str]


@contextmanager
def _served(lab: Whole, service: str, name: str, change: Change) -> Iterator[None]:
    """The server runs with a changed file."""
    file: Path = lab.prepared.paths.services / name
    text = file.read_text()
    edited = change(text, lab)
    assert edited != text
    try:
        file.write_text(edited)
        _again(lab, service)
        yield
    finally:
        file.write_text(text)
        _again(lab, service)
        until(lambda: not isinstance(lab.live.api.text("/readyz"), Trouble), lambda: "the API does not answer again")


def _again(lab: Whole, service: str) -> None:
    paths = lab.prepared.paths
    cgroups.end(paths, service)
    services.start(paths, lab.prepared.cluster, service)


def named(change: Change) -> Planting:
    return lambda lab: _served(lab, services.NAMES, dnsmasq.NAME, change)


def balanced(change: Change) -> Planting:
    return lambda lab: _served(lab, services.LOAD, haproxy.NAME, change)


def _without_api_int(text: str, lab: Whole) -> str:
    return text.replace(f"{lab.prepared.cluster.api_int_host},", "")


def _api_int_is_a_node(text: str, lab: Whole) -> str:
    name, node = lab.prepared.cluster.api_int_host, lab.prepared.cluster.workers[0]
    return f"{_without_api_int(text, lab)}host-record={name},{node.address}\n"


def _apps_on_a_master(text: str, lab: Whole) -> str:
    cluster = lab.prepared.cluster
    return text.replace(f"/{cluster.ingress_vips[0]}", f"/{cluster.masters[0].address}")


def _everything_resolves(text: str, lab: Whole) -> str:
    cluster = lab.prepared.cluster
    return f"{text}address=/{cluster.domain}/{cluster.ingress_vips[0]}\n"


def _checks_without_tls(text: str, lab: Whole) -> str:
    return text.replace(" check-ssl verify none", "")


def _api_is_not_bound(text: str, lab: Whole) -> str:
    return text.replace(f"{lab.prepared.cluster.api_vips[0]}:6443", "127.0.0.1:6443")


def _resolv(line: str) -> Planting:
    keep = "cp /etc/resolv.conf /root/resolv.conf"
    back = "cat /root/resolv.conf >/etc/resolv.conf; rm /root/resolv.conf"
    return lambda lab: changed(lab, WORKER, f"{keep}; {line}", back)


def closed(node: str, port: int, by: str = "") -> Planting:
    """By a firewall on the node, to everybody or to one address."""
    table = "nft add table inet planted; nft add chain inet planted in '{ type filter hook input priority 0; }'"
    do = f"{table}; nft add rule inet planted in {f'ip saddr {by} ' if by else ''}tcp dport {port} drop"
    return lambda lab: changed(lab, node, do, "nft delete table inet planted")


def _closed_to_the_worker(lab: Whole) -> AbstractContextManager[object]:
    return closed(MASTER, 6443, lab.prepared.cluster.workers[0].address)(lab)


NAMES = {
    "api-int has no record": Plant("F44", named(_without_api_int)),
    "api-int is a node": Plant("F04", named(_api_int_is_a_node)),
    "*.apps leads to a master": Plant("F33", named(_apps_on_a_master)),
    "every name resolves": Plant("F34", named(_everything_resolves)),
    "HAProxy checks without TLS": Plant("F25", balanced(_checks_without_tls)),
    "HAProxy does not bind the API's port": Plant("F26", balanced(_api_is_not_bound)),
    "another name server comes first": Plant("F55", _resolv("sed -i '1i nameserver 127.0.0.53' /etc/resolv.conf")),
    "a node has no name server": Plant("F03", _resolv("sed -i /nameserver/d /etc/resolv.conf")),
    "a firewall closes the API's port to a worker": Plant("F47", _closed_to_the_worker),
}
