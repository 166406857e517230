"""Stages 10 to 17 on machines of their owner's."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from hardway.drive.decide import decide
from hardway.drive.events import Event, Listener
from hardway.drive.milestones.table import BY_NAME, TABLE
from hardway.drive.observe import observe
from hardway.drive.stall import Cause
from hardway.io.lock import locked
from hardway.model.check import Report
from hardway.model.errors import ConfigError, ToolError
from hardway.places import finish
from hardway.places import forward as places
from hardway.places.own.cluster import OwnCluster
from hardway.stages.row import Stage

LOCK = ".lock"
FIRST = int(TABLE[0].stage)


@contextmanager
def alone(kept: Path) -> Iterator[None]:
    """One command at a time drives a cluster."""

    def refuse(holder: str) -> None:
        fix = "wait until it ends, or stop it with Ctrl-C; nothing is lost"
        raise ToolError(f"{holder or 'another command'} drives this cluster.\n    fix: {fix}")

    kept.mkdir(mode=0o700, exist_ok=True)
    with locked(kept / LOCK, refuse):
        yield


def forward(
    own: OwnCluster,
    until: int,
    listener: Listener,
    turn: Callable[[], None],
    diagnose: Callable[[], Sequence[Cause]] = lambda: (),
) -> None:
    """`diagnose` is asked when a milestone takes too long."""
    telling = _with_limits(listener)
    troubles = _Troubles(own, telling)

    def looked() -> None:
        troubles.tell()
        turn()

    places.forward(own.live, own.kept, until, telling, looked, diagnose)


def verify(own: OwnCluster, listener: Listener, ignore: Collection[str] = ()) -> Report:
    look = partial(finish.verify, own.live)
    return places.verify(own.live, own.kept, listener, lambda: look().ignoring(ignore))


def demand_order(own: OwnCluster, stage: Stage) -> None:
    """A stage builds on those before it."""
    number = int(stage.number)
    if number == FIRST:
        return
    before = decide(observe(own.live), own.live.cluster, number - 1)
    if row := before.waiting:
        troubles = "".join(f"\n    {text.partition(chr(10))[0]}" for text in own.machines.troubles.values())
        raise ConfigError(
            f"stage {number} comes after {row.name}, which waits for {before.missing}.{troubles}\n"
            f"    fix: `hardway run {row.stage}` first"
        )


def _with_limits(listener: Listener) -> Listener:
    """A wait is told with the time that it began, and with how long it may take."""

    def listen(event: Event) -> None:
        if event.kind == "waiting" and (row := BY_NAME.get(event.milestone)):
            text = f"{event.text} (since {time.strftime('%H:%M:%S')}; at most {row.normal})"
            event = replace(event, text=text)
        listener(event)

    return listen


class _Troubles:
    """What stands in the way of ssh: told once, and again when it is another."""

    def __init__(self, own: OwnCluster, listener: Listener) -> None:
        self._own, self._listener, self._begun = own, listener, time.monotonic()
        self._said: dict[str, str] = {}

    def tell(self) -> None:
        now = dict(self._own.machines.troubles)
        for node, text in now.items():
            if self._said.get(node) != text:
                seconds = round(time.monotonic() - self._begun, 1)
                self._listener(Event(kind="trouble", seconds=seconds, node=node, text=text))
        self._said = now
