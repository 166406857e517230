"""What was seen during a run, moment by moment: kept beside its events, so that a page can play it again.

Each line of the file has the seconds since the run began, and what has changed since the line before. A new run begins
a new file.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from json import dumps
from pathlib import Path
from typing import Any

from hardway.drive.observation import Observation
from hardway.drive.sight import LARGEST, Sight, row, sight
from hardway.io import atomic, links
from hardway.model import json as bounded
from hardway.model.cluster import Cluster

FILE = "moments.jsonl"
EVERY = 10.0  # seconds after which figures are kept that change with each request
NAMES = tuple(field.name for field in fields(Sight))


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    seconds: float  # since the run began
    sight: Sight
    availability: str = ""  # what a client of the API has counted until then


def keeping(
    folder: Path,
    cluster: Cluster,
    counted: Callable[[], str] = lambda: "",
    clock: Callable[[], float] = time.monotonic,
) -> Callable[[Observation], None]:
    """For the loop: what has changed since the turn before is added."""
    begun = clock()
    last = Moment(seconds=0, sight=Sight())
    atomic.write(folder / FILE, b"", atomic.PUBLIC)

    def look(seen: Observation) -> None:
        nonlocal last
        now = Moment(seconds=round(clock() - begun, 1), sight=sight(seen, cluster), availability=counted())
        changed = _changed(last, now)
        if changed.keys() - {"availability"} or (changed and now.seconds - last.seconds >= EVERY):
            last = now
            links.refuse(folder / FILE)
            with (folder / FILE).open("a") as stream:
                stream.write(f"{dumps({'seconds': now.seconds, **changed})}\n")

    return look


def _changed(last: Moment, now: Moment) -> dict[str, Any]:
    rows = asdict(now.sight)
    found = {name: rows[name] for name in NAMES if getattr(last.sight, name) != getattr(now.sight, name)}
    return found | ({"availability": now.availability} if now.availability != last.availability else {})


def read(folder: Path) -> tuple[Moment, ...]:
    """Of the last run; nothing, if nobody has looked. What follows a damaged line is not known."""
    try:
        lines = links.read(folder / FILE, below=folder, largest=LARGEST).splitlines()
    except (FileNotFoundError, ValueError):
        return ()
    return tuple(_moments(lines))


def _moments(lines: list[bytes]) -> Iterator[Moment]:
    now = Moment(seconds=0, sight=Sight())
    for line in lines:
        try:
            found = bounded.load(line)
            rows = {name: tuple(row(one) for one in found[name]) for name in NAMES if name in found}
            said = found.get("availability", now.availability)
            said.encode()
            seconds = float(found["seconds"])
        except (ValueError, TypeError, KeyError, AttributeError):
            return
        now = Moment(seconds=seconds, sight=replace(now.sight, **rows), availability=said)
        yield now
