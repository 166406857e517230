"""Where the time of a run went: its events as waits, each with its cause. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from hardway.drive.events import Event, Kind
from hardway.drive.milestones.causes import cause

ENDS: tuple[Kind, ...] = ("waiting", "finished", "stalled")  # of a wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    seconds: float
    begun: float  # seconds since the run began
    milestone: str
    cause: str
    missing: str  # at the beginning
    stage: str = ""

    def line(self) -> str:
        where = f"{self.stage} {self.milestone}".strip()
        return f"{self.seconds:6.1f} s  from {self.begun:4.0f} s  {where:<22}  {self.cause}"

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def waits(events: Iterable[Event]) -> list[Wait]:
    """The longest first. What is waited for several times for the same cause, such as for one node after the other,
    is one wait with the sum of its seconds. A wait that was interrupted has no end, and is left out."""
    found: dict[tuple[str, str], Wait] = {}
    for wait in _single(events):
        before = found.get((wait.milestone, wait.cause))
        seconds = round(before.seconds + wait.seconds, 1) if before else wait.seconds
        found[wait.milestone, wait.cause] = replace(before or wait, seconds=seconds)
    return sorted(found.values(), key=lambda wait: -wait.seconds)


def _single(events: Iterable[Event]) -> Iterator[Wait]:
    told = [event for event in events if event.kind in ENDS]
    for event, following in pairwise(told):
        if event.kind == "waiting" and following.seconds >= event.seconds:  # else another run has begun
            yield Wait(
                seconds=round(following.seconds - event.seconds, 1),
                begun=event.seconds,
                stage=event.stage,
                milestone=event.milestone,
                cause=cause(event.milestone, event.text),
                missing=event.text,
            )
