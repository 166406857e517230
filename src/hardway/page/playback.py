"""What was seen during a run, for whoever plays it: each table as often as it has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from hardway.drive.moments import Moment
from hardway.drive.sight import Rows, Sight
from hardway.page.html import Html, tag
from hardway.page.seen import PODS, TILES, one, said
from hardway.page.site import Site

MOST_ROWS = 30_000  # of all tables
Held = TypeVar("Held")


def past(site: Site, every: Sequence[Moment]) -> Html | None:
    """Each table as often as it has changed, with the seconds from which and until which it held. Whoever plays the run
    sees the one of that second; at its end, and without the script, what was seen last is above."""
    if not every:
        return None
    tiles = [part for name in TILES for part in _versions(site, name, every)]
    counted = [
        tag("p", said(site, figures), class_="note", hidden=True, data_from=f"{begun:g}", data_until=_until(end))
        for begun, end, figures in spans([(moment.seconds, moment.availability) for moment in every])
        if figures
    ]
    pods = _versions(site, PODS, every)
    return tag("div", *counted, tag("div", *tiles, class_="tiles"), *pods, class_="past", hidden=True)


def _versions(site: Site, name: str, every: Sequence[Moment]) -> list[Html]:
    held = spans([(moment.seconds, getattr(moment.sight, name)) for moment in every])
    return [
        tag("div", one(site, name, seen), hidden=True, data_from=f"{begun:g}", data_until=_until(end))
        for begun, end, seen in held
        if seen
    ]


def _until(end: float | None) -> str:
    return "" if end is None else f"{end:g}"


def spans(values: Sequence[tuple[float, Held]]) -> list[tuple[float, float | None, Held]]:
    """Each value with the time from which it held, and until which: None for the last one."""
    changes = [row for index, row in enumerate(values) if not index or row[1] != values[index - 1][1]]
    ends = [*(begun for begun, _ in changes[1:]), None]
    return [(begun, end, value) for (begun, value), end in zip(changes, ends, strict=True)]


def few(every: Sequence[Moment]) -> Sequence[Moment]:
    """As many moments of a run as a page can hold: of a large cluster fewer, and the last one always."""
    largest = max((sum(len(rows) for rows in _rows(moment.sight)) for moment in every), default=0)
    step = -(-len(every) * largest // MOST_ROWS)
    return every if step <= 1 else [*every[:-1:step], every[-1]]


def _rows(seen: Sight) -> Iterator[Rows]:
    yield from (getattr(seen, name) for name in (*TILES, PODS))
