"""What is kept of a cluster's past, in a folder: which milestones it has reached once, and all events.

Milestones are for machines that are off and cannot be asked. Where the cluster answers, its answer counts. Events say
where the time went.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from hardway.drive.events import Event, Listener
from hardway.drive.milestones.table import TABLE
from hardway.io import atomic, links

FILE = "milestones.json"
EVENTS = "events.jsonl"  # one a line, of every run
LAST = TABLE[-1].name


def reached(folder: Path) -> frozenset[str]:
    """Nothing, if none was reached or the record is gone."""
    try:
        found = json.loads(links.read(folder / FILE))
    except (FileNotFoundError, ValueError):
        return frozenset()
    return frozenset(row.name for row in TABLE if isinstance(found, list) and row.name in found)


def add(folder: Path, names: Iterable[str]) -> None:
    before = reached(folder)
    now = before | frozenset(names)
    if now != before:
        rows = [row.name for row in TABLE if row.name in now]
        atomic.write(folder / FILE, f"{json.dumps(rows, indent=2)}\n".encode(), atomic.PUBLIC)


def keeping(folder: Path, listener: Listener) -> Listener:
    """The same listener; what it is told is kept."""

    def listen(event: Event) -> None:
        links.refuse(folder / EVENTS)
        with (folder / EVENTS).open("a") as stream:
            stream.write(f"{json.dumps(event.as_dict())}\n")
        listener(event)

    return listen


def events(folder: Path) -> tuple[Event, ...]:
    """Of every run, in order; nothing, if there was none. A line that was not written to its end says nothing."""
    try:
        lines = links.read(folder / EVENTS).decode(errors="replace").splitlines()
    except FileNotFoundError:
        return ()
    return tuple(event for line in lines if (event := _event(line)))


def _event(line: str) -> Event | None:
    try:
        found = json.loads(line)
        return Event(**found | {"failures": tuple(found.get("failures", ()))})
    except (ValueError, TypeError, AttributeError):
        return None
