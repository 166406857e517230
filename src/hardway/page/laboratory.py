"""The running cluster, in the lab or on machines of one's own: how it stands, and what happened while it came up, as a
time line that can be played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardway.drive.events import Event
from hardway.drive.milestones.table import TABLE
from hardway.drive.pulse import Figures
from hardway.drive.record import events
from hardway.drive.sight import Rows, Seen, Sight, read
from hardway.lab.paths import lab_paths
from hardway.page.frame import Page
from hardway.page.html import Html, code, items, join, rows, table, tag
from hardway.page.site import Site
from hardway.places.remembered import FOLDER

if TYPE_CHECKING:
    from hardway.lab.status import Status

PATH = "lab.html"
WEIGHT = {"reached": "good", "finished": "good", "trouble": "soon", "refused": "soon", "stalled": "bad"}
SEEN: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("nodes", ("node", "address", "state"), "Nodes"),
    ("members", ("member", "state"), "Members of etcd"),
    ("leases", ("lease", "held by"), "Leases: who leads"),
    ("requests", ("request", "node", "state"), "Certificate requests"),
    ("backends", ("API server", "state"), "Load balancer"),
)
"""Each field of a sight with the heads of its columns, and a caption. One that is empty is not shown."""


def pages(site: Site) -> Iterator[Page]:
    yield page(site)


def page(site: Site, now: Status | None = None) -> Page:
    """With how it stands now, where somebody has asked; where the cluster is not up, as it was seen last."""
    last = read(kept(site)) if now is None or not now.up else None
    above = (standing(site, now) if now else None, seen_last(site, last) if last else None)
    parts = [part for part in above if part]
    happened = tag("h2", "What happened") if parts else None
    return Page(path=PATH, title="Running cluster", body=join((*parts, happened, body(site, recorded(site)))))


def kept(site: Site) -> Path:
    """The folder of the record: the lab's, or that of machines of the user's own."""
    workspace = site.workspace
    return lab_paths(workspace.loaded.cluster.name).folder if site.lab else workspace.store.root / FOLDER


def standing(site: Site, now: Status) -> Html:
    """Nodes, what runs on them and who leads, and what a client of the API has counted."""
    nodes = ((row.name, row.role, row.address, row.state, row.ready) for row in now.nodes)
    missing = f"{now.waiting.name}: {now.waiting.missing}" if now.up and now.waiting and now.waiting.missing else ""
    pairs = (
        ("lab", "up" if now.up else "not up"),
        ("servers", ", ".join(f"{name} {'runs' if runs else 'does not run'}" for name, runs in now.services.items())),
        ("waits for", missing),
        ("trouble", _said(site, now.trouble)),
        ("availability", items(Figures(**now.pulse).lines) if now.pulse else ""),
    )
    head = ("name", "role", "address", "machine", "node")
    parts = (rows(pairs), table(head, nodes, "Nodes"), _tables(site, replace(now.sight, nodes=())))
    return join((tag("h2", "Now"), *parts))


def seen_last(site: Site, last: Sight) -> Html:
    return join((tag("h2", "As the last run has seen it"), _tables(site, last)))


def _tables(site: Site, seen: Sight) -> Html:
    """Side by side where there is room; the widest one comes last."""
    found = [(head, getattr(seen, name), caption) for name, head, caption in SEEN]
    tiles = (
        table(head, (_cells(site, row, len(head)) for row in several), said) for head, several, said in found if several
    )
    return join((tag("div", *tiles, class_="tiles"), _static_pods(site, seen.pods) if seen.pods else None))


def _static_pods(site: Site, pods: Rows) -> Html:
    """A row a program, a column a node."""
    nodes, programs = (dict.fromkeys(names) for names in ((p.place for p in pods), (p.name for p in pods)))
    states = {(row.name, row.place): _said(site, row.state) for row in pods}
    lines = ((program, *(states.get((program, node), "") for node in nodes)) for program in programs)
    return table(("program", *nodes), lines, "Static pods")


def _cells(site: Site, row: Seen, count: int) -> tuple[str, ...]:
    state = _said(site, row.state)
    return (row.name, state) if count == 2 else (row.name, row.place, state)


def _said(site: Site, words: str) -> str:
    """Of machines and programs, which may print anything."""
    return site.secrets.without(words.encode()).decode()


def recorded(site: Site) -> tuple[Event, ...]:
    """Of the last run; nothing, if there was none."""
    every = events(kept(site))
    starts = [index for index, event in enumerate(every) if index and event.seconds < every[index - 1].seconds - 1]
    return every[starts[-1] if starts else 0 :]


def body(site: Site, run: Sequence[Event]) -> Html:
    if not run:
        how = (code("hardway lab up"), " makes one; on machines of your own, ", code("hardway up"), " does.")
        return tag("p", "There is no record of this cluster coming up. ", *how, class_="note", data_live="yes")
    over = "in" if run[-1].kind == "finished" else "so far in"
    said = f"Events of the last run: {len(run)}, {over} {run[-1].seconds:.0f} s."
    events = tag("ol", *(_event(site, event) for event in run), class_="events")
    return join((tag("p", said, class_="lead", data_live="yes"), _milestones(run), events))


def _milestones(run: Sequence[Event]) -> Html:
    """Each milestone as a mark on a line of the whole time."""
    reached = {event.milestone: event.seconds for event in run if event.kind == "reached"}
    lines = (
        tag(
            "li",
            tag("span", row.name),
            tag("progress", value=f"{reached[row.name]:.0f}", max=f"{run[-1].seconds or 1:.0f}", aria_label=row.name)
            if row.name in reached
            else None,
            tag("small", f"{reached[row.name]:.0f} s" if row.name in reached else "not reached"),
            data_milestone=row.name,
        )
        for row in TABLE
    )
    return tag("ul", *lines, class_="milestones")


def _event(site: Site, event: Event) -> Html:
    where = " ".join(part for part in (event.stage, event.milestone or event.node) if part)
    parts = (
        tag("small", f"{event.seconds:.0f} s"),
        tag("span", event.kind, class_=f"state {WEIGHT.get(event.kind, '')}".strip()),
        tag("b", where) if where else None,
        tag("span", site.prose(PATH, _said(site, event.text))),
    )
    return tag("li", join(parts, " "), data_at=f"{event.seconds:.1f}", data_reached=event.milestone)
