"""The running cluster, in the lab or on machines of one's own: how it stands, and what happened while it came up, as a
time line that can be played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardway.drive import moments, pulse
from hardway.drive.events import Event
from hardway.drive.moments import Moment
from hardway.drive.pulse import Figures
from hardway.drive.record import events
from hardway.drive.sight import Sight, read
from hardway.lab.paths import lab_paths
from hardway.page.frame import Page
from hardway.page.html import Html, code, items, join, rows, table, tag
from hardway.page.playback import few, past
from hardway.page.seen import said, tables
from hardway.page.site import Site
from hardway.page.timeline import timeline
from hardway.places.remembered import FOLDER

if TYPE_CHECKING:
    from hardway.lab.status import Status

PATH = "lab.html"
WEIGHT = {"reached": "good", "finished": "good", "trouble": "soon", "refused": "soon", "stalled": "bad"}


def pages(site: Site) -> Iterator[Page]:
    yield page(site)


def page(site: Site, now: Status | None = None) -> Page:
    """With how it stands now, where somebody has asked; where the cluster is not up, as it was seen last."""
    last = read(kept(site)) if now is None or not now.up else None
    above = (standing(site, now) if now else None, seen_last(site, last) if last else None)
    parts = [part for part in above if part]
    happened = tag("h2", "What happened") if parts else None
    told = body(site, recorded(site), moments.read(kept(site)))
    return Page(path=PATH, title="Running cluster", body=join((*parts, happened, told)))


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
        ("trouble", said(site, now.trouble)),
        ("causes", items(said(site, cause) for cause in now.causes) if now.causes else ""),
        ("availability", _counted(site, Figures(**now.pulse)) if now.pulse else ""),
    )
    head = ("name", "role", "address", "machine", "node")
    parts = (rows(pairs), table(head, nodes, "Nodes"), tables(site, replace(now.sight, nodes=())))
    return join((tag("h2", "Now"), *parts))


def seen_last(site: Site, last: Sight) -> Html:
    counted = pulse.read(kept(site))
    figures = rows((("availability", _counted(site, counted)),)) if counted.requests else None
    return join((tag("h2", "As the last run has seen it"), figures, tables(site, last)))


def _counted(site: Site, figures: Figures) -> Html:
    return items(said(site, line) for line in figures.lines)


def recorded(site: Site) -> tuple[Event, ...]:
    """Of the last run; nothing, if there was none."""
    every = events(kept(site))
    starts = [index for index, event in enumerate(every) if index and event.seconds < every[index - 1].seconds - 1]
    return every[starts[-1] if starts else 0 :]


def body(site: Site, run: Sequence[Event], every: Sequence[Moment] = ()) -> Html:
    if not run:
        how = (code("hardway lab up"), " makes one; on machines of your own, ", code("hardway up"), " does.")
        return tag("p", "There is no record of this cluster coming up. ", *how, class_="note", data_live="yes")
    over = "in" if run[-1].kind == "finished" else "so far in"
    lead = tag(
        "p", f"Events of the last run: {len(run)}, {over} {run[-1].seconds:.0f} s.", class_="lead", data_live="yes"
    )
    events = tag("ol", *(_event(site, event) for event in run), class_="events")
    return join((lead, timeline(site, run), past(site, few(every)), events))


def _event(site: Site, event: Event) -> Html:
    where = " ".join(part for part in (event.stage, event.milestone or event.node) if part)
    parts = (
        tag("small", f"{event.seconds:.0f} s"),
        tag("span", event.kind, class_=f"state {WEIGHT.get(event.kind, '')}".strip()),
        tag("b", where) if where else None,
        tag("span", site.prose(PATH, said(site, event.text))),
    )
    reached = event.milestone if event.kind == "reached" else ""
    return tag("li", join(parts, " "), data_at=f"{event.seconds:.1f}", data_reached=reached)
