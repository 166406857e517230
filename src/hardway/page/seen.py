"""What was seen of a running cluster, as tables."""

from __future__ import annotations

from hardway.drive.sight import Rows, Seen, Sight
from hardway.page.html import Html, join, table, tag
from hardway.page.site import Site

TILES: dict[str, tuple[tuple[str, ...], str]] = {
    "nodes": (("node", "address", "state"), "Nodes"),
    "members": (("member", "state"), "Members of etcd"),
    "leases": (("lease", "held by"), "Leases: who leads"),
    "requests": (("request", "node", "state"), "Certificate requests"),
    "backends": (("API server", "state"), "Load balancer"),
}
"""Fields of a sight with the heads of their columns, and a caption. One that is empty is not shown."""
PODS = "pods"


def tables(site: Site, seen: Sight) -> Html:
    """Side by side where there is room; the widest one comes last."""
    tiles = (one(site, name, getattr(seen, name)) for name in TILES if getattr(seen, name))
    return join((tag("div", *tiles, class_="tiles"), one(site, PODS, seen.pods) if seen.pods else None))


def one(site: Site, name: str, several: Rows) -> Html:
    if name == PODS:
        return _static_pods(site, several)
    head, caption = TILES[name]
    return table(head, (_cells(site, row, len(head)) for row in several), caption)


def _static_pods(site: Site, pods: Rows) -> Html:
    """A row a program, a column a node."""
    nodes, programs = (dict.fromkeys(names) for names in ((p.place for p in pods), (p.name for p in pods)))
    states = {(row.name, row.place): said(site, row.state) for row in pods}
    lines = ((program, *(states.get((program, node), "") for node in nodes)) for program in programs)
    return table(("program", *nodes), lines, "Static pods")


def _cells(site: Site, row: Seen, count: int) -> tuple[str, ...]:
    state = said(site, row.state)
    return (row.name, state) if count == 2 else (row.name, row.place, state)


def said(site: Site, words: str) -> str:
    """Of machines and programs, which may print anything."""
    return site.secrets.without(words.encode()).decode()
