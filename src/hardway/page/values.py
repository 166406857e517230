"""The values by which one cluster differs from another: names, networks and addresses, and who decides them.

The guide is written for the cluster that `hardway init` starts with. Here each of its values is replaced by the one of
the cluster that is shown; and a line of an artifact with such a value leads back to the field that decides it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hardway.model.cluster import Cluster, Node
from hardway.workspace.names import HOSTS, INSTALL_CONFIG, SETTINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    what: str
    fields: tuple[str, ...]  # addresses, the one that decides most first
    of: Callable[[Cluster], dict[str, str]]  # by its place: two clusters are compared place by place


def _field(path: str, file: str = INSTALL_CONFIG) -> str:
    return f"field/{file}#{path}"


MACHINES = _field("networking.machineNetwork[].cidr")
PODS = _field("networking.clusterNetwork[].cidr")
SERVICES = _field("networking.serviceNetwork[]")
NAME, DOMAIN = _field("metadata.name"), _field("baseDomain")


def _several(values: Iterable[object]) -> dict[str, str]:
    return {str(number): str(value) for number, value in enumerate(values)}


def _nodes(of: Callable[[Node], str]) -> Callable[[Cluster], dict[str, str]]:
    return lambda cluster: {f"{node.role} {node.index}": of(node) for node in cluster.nodes}


TABLE: tuple[Value, ...] = (
    Value(what="the cluster's domain", fields=(NAME, DOMAIN), of=lambda c: {"": c.domain}),
    Value(what="the cluster's name", fields=(NAME,), of=lambda c: {"": c.name}),
    Value(what="the base domain", fields=(DOMAIN,), of=lambda c: {"": c.base_domain.removesuffix(".")}),
    Value(what="the machine network", fields=(MACHINES,), of=lambda c: _several(c.machine_networks)),
    Value(what="the pod network", fields=(PODS,), of=lambda c: _several(n.cidr for n in c.cluster_networks)),
    Value(what="the service network", fields=(SERVICES,), of=lambda c: _several(c.service_networks)),
    Value(
        what="an address of the service network",
        fields=(SERVICES,),
        of=lambda c: _several((c.kubernetes_service_address, c.cluster_dns_address)),
    ),
    Value(what="the API's address", fields=(_field("apiVIPs[]", HOSTS), MACHINES), of=lambda c: _several(c.api_vips)),
    Value(
        what="the ingress address",
        fields=(_field("ingressVIPs[]", HOSTS), MACHINES),
        of=lambda c: _several(c.ingress_vips),
    ),
    Value(what="the gateway", fields=(_field("gateways[]", HOSTS), MACHINES), of=lambda c: _several(c.gateways)),
    Value(
        what="a node's address",
        fields=(_field("hosts.*.addresses[]", HOSTS), MACHINES),
        of=_nodes(lambda node: node.address),
    ),
    Value(what="a node's MAC", fields=(_field("hosts.*.mac", HOSTS), NAME), of=_nodes(lambda node: node.mac)),
    Value(what="a node's name", fields=(_field("hosts.*.hostname", HOSTS),), of=_nodes(lambda node: node.name)),
    Value(what="the release", fields=(_field("release", SETTINGS),), of=lambda c: {"": c.release.version}),
)

Piece = tuple[str, str]
"""A text, and the sample's value that it stands for; nothing if it is as written."""


def changed(sample: Cluster, own: Cluster) -> dict[str, str]:
    """Each value of the sample that is another one here. What this cluster has not, such as a node, stays."""
    pairs: dict[str, str] = {}
    for row in TABLE:
        ours = row.of(own)
        for place, before in row.of(sample).items():
            pairs.setdefault(before, ours.get(place, before))
    return {before: now for before, now in pairs.items() if before and now and before != now}


def pieces(content: str, pairs: dict[str, str]) -> Iterator[Piece]:
    """The text with the sample's values replaced, each as a piece of its own."""
    if not pairs:
        yield content, ""
        return
    at = 0
    for found in _pattern(pairs).finditer(content):
        if found.start() > at:
            yield content[at : found.start()], ""
        yield pairs[found[0]], found[0]
        at = found.end()
    if at < len(content):
        yield content[at:], ""


def replaced(content: str, pairs: dict[str, str]) -> str:
    return "".join(piece for piece, _ in pieces(content, pairs))


def _pattern(values: Iterable[str]) -> re.Pattern[str]:
    """Whole words alone, the longest first: an address is not found in a longer one."""
    longest = sorted(values, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(_whole, longest))})(?![\w-])")


def _whole(value: str) -> str:
    """Of a number with dots, more than a part of it."""
    before, after = r"(?<!\d\.)" if value[0].isdigit() else "", r"(?!\.\d)" if value[-1].isdigit() else ""
    return f"{before}{re.escape(value)}{after}"


class Origins:
    """Which fields decide what a line says."""

    def __init__(self, cluster: Cluster) -> None:
        self._rows = {value: row for row in reversed(TABLE) for value in row.of(cluster).values() if value}
        self._found = _pattern(self._rows)

    def of(self, line: str) -> list[Value]:
        rows = {self._rows[found[0]].what: self._rows[found[0]] for found in self._found.finditer(line)}
        return list(rows.values())
