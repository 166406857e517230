"""What a running lab shows: a block that is redrawn on a terminal, plain lines elsewhere, or one JSON object a line."""

from __future__ import annotations

import json
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import click

from hardway.drive.milestones.table import TABLE

if TYPE_CHECKING:
    from hardway.drive.events import Event
    from hardway.drive.live import LiveCluster
    from hardway.lab.prepared import Prepared
    from hardway.lab.up import Watch

SAID = 4  # events that stay in sight
PAUSE = 1.0
MARKS = {"reached": "✓", "waiting": "…", "later": " "}


class View(Protocol):
    live: bool  # whether it wants to know how the nodes are

    def event(self, event: Event) -> None: ...

    def states(self, states: Mapping[str, str]) -> None: ...

    def prepare(self, what: str, done: int, total: int) -> None: ...


@dataclass(slots=True)
class Board:
    """All that the block shows. Pure: the clock is given."""

    until: int
    nodes: dict[str, tuple[str, float]] = field(default_factory=dict)  # a node's state, and since when
    reached: dict[str, float] = field(default_factory=dict)
    waiting: tuple[str, str, float] = ("", "", 0.0)  # milestone, for what, since when
    said: deque[str] = field(default_factory=lambda: deque(maxlen=SAID))

    def see(self, states: Mapping[str, str], now: float) -> None:
        for name, state in states.items():
            if self.nodes.get(name, ("", 0.0))[0] != state:
                self.nodes[name] = (state, now)

    def hear(self, event: Event, now: float) -> None:
        if event.kind == "reached":
            self.reached[event.milestone] = event.seconds
        elif event.kind == "waiting":
            since = self.waiting[2] if self.waiting[0] == event.milestone else now
            self.waiting = (event.milestone, event.text, since)
        else:
            self.said.append(event.line())

    def lines(self, now: float, width: int, height: int) -> list[str]:
        """As many as fit: reached milestones become one row first, then the end is cut off. Before the way, nothing."""
        if not (self.nodes or self.reached or self.waiting[0]):
            return []
        whole = [*self._nodes(now), *self._milestones(now, collapsed=False), *self.said]
        if len(whole) > height:
            whole = [*self._nodes(now), *self._milestones(now, collapsed=True), *self.said]
        return [line.replace("\n", " ")[:width] for line in whole[:height]]

    def _nodes(self, now: float) -> Iterator[str]:
        for name, (state, since) in self.nodes.items():
            yield f"  {name:<14} {state:<10} {_span(now - since)}"

    def _milestones(self, now: float, *, collapsed: bool) -> Iterator[str]:
        rows = [row for row in TABLE if int(row.stage) <= self.until]
        if collapsed and self.reached:
            yield f"✓ {len(self.reached)} of {len(rows)} milestones"
        name, text, since = self.waiting
        for row in rows:
            if row.name in self.reached:
                if not collapsed:
                    yield f"{MARKS['reached']} {row.stage} {row.name:<20} {self.reached[row.name]:.0f} s"
            elif row.name == name:
                yield f"{MARKS['waiting']} {row.stage} {row.name:<20} {_span(now - since)}  {text}"
            else:
                yield f"{MARKS['later']} {row.stage} {row.name}"


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 60 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


class Screen:
    """Draws a board over itself once a second, so that what is waited for is seen to be waited for."""

    live = True

    def __init__(self, board: Board, clock: Callable[[], float] = time.monotonic) -> None:
        self._board, self._clock = board, clock
        self._drawn, self._preparing = 0, ""
        self._guard, self._end = threading.Lock(), threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def event(self, event: Event) -> None:
        with self._guard:
            self._preparing = ""
            self._board.hear(event, self._clock())
            self._draw()

    def states(self, states: Mapping[str, str]) -> None:
        with self._guard:
            self._board.see(states, self._clock())

    def prepare(self, what: str, done: int, total: int) -> None:
        with self._guard:
            self._preparing = f"{what} ({done} of {total})" if total else what

    def begin(self) -> None:
        self._ticker.start()

    def end(self) -> None:
        """The last picture stays."""
        self._end.set()
        self._ticker.join()
        with self._guard:
            self._preparing = ""
            self._draw()

    def _tick(self) -> None:
        while not self._end.wait(PAUSE):
            with self._guard:
                self._draw()

    def _draw(self) -> None:
        width, height = shutil.get_terminal_size()
        lines = self._board.lines(self._clock(), width - 1, height - 2)
        if self._preparing:
            lines = [self._preparing.replace("\n", " ")[: width - 1]]
        if not lines and not self._drawn:
            return
        back = f"\033[{self._drawn}A" if self._drawn else ""
        click.echo(f"{back}\r\033[J" + "\n".join(lines))
        self._drawn = max(1, len(lines))


@dataclass(slots=True)
class Lines:
    """Without a terminal, and for programs: every event once."""

    as_json: bool
    progress: Callable[[str, int, int], None]
    subject: str = ""
    live: bool = False

    def event(self, event: Event) -> None:
        click.echo(json.dumps(event.as_dict()) if self.as_json else event.line())

    def states(self, states: Mapping[str, str]) -> None:
        """Events tell of what changes."""

    def prepare(self, what: str, done: int, total: int) -> None:
        subject = what.partition(":")[0]
        if self.as_json and subject != self.subject:
            click.echo(json.dumps({"kind": "preparing", "text": subject}))
        self.subject = subject
        if not self.as_json:
            self.progress(what, done, total)


@contextmanager
def watched(until: int, output: str) -> Iterator[View]:
    from hardway.cli.lab.progress import shown

    if output == "text" and sys.stdout.isatty():
        screen = Screen(Board(until=until))
        screen.begin()
        try:
            yield screen
        finally:
            screen.end()
        return
    with shown() as progress:
        yield Lines(as_json=output == "json", progress=progress)


def watching(view: View) -> Watch:
    """What the lab tells as it goes, for the view."""
    from hardway.lab.status import states
    from hardway.lab.up import Watch

    def turn(prepared: Prepared, live: LiveCluster) -> None:
        view.states(states(prepared, live))

    return Watch(listener=view.event, turn=turn) if view.live else Watch(listener=view.event)
