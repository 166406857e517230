"""A lab on a terminal: while it is prepared, the rows of that work; then its board, whose last picture stays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType

from hardway.cli.terminal.board import Board
from hardway.cli.terminal.drawing import picture
from hardway.cli.terminal.region import Region
from hardway.cli.terminal.rows import Rows
from hardway.cli.terminal.work import Unit, told_of_waits, watchers

if TYPE_CHECKING:
    from hardway.drive.events import Event
    from hardway.pipeline.build import Watchers


class Screen:
    """A view of the lab, and the work that it is prepared with."""

    live = True

    def __init__(self, until: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._board, self._rows, self._clock = Board(until=until), Rows(), clock
        self._region = Region(self._draw)

    @property
    def watchers(self) -> Watchers:
        return watchers(self)

    def event(self, event: Event) -> None:
        self._rows.clear()
        self._board.hear(event, self._clock())

    def look(self, states: Mapping[str, str], available: Callable[[], str]) -> None:
        self._rows.clear()
        self._board.available = available
        self._board.see(states, self._clock())

    def prepare(self, what: str, done: int, total: int) -> None:
        self.advance(what, done, total)

    def begin(self, what: str) -> None:
        self.advance(what, 0, 0)

    def advance(self, what: str, done: int, total: int, unit: Unit = "steps") -> None:
        self._rows.see(what, done, total, unit)

    def wait(self, reason: str) -> AbstractContextManager[None]:
        return self._rows.wait(reason)

    def done(self) -> None:
        self._region.close(self._draw if self._board.begun else None)

    def interrupted(self) -> None:
        self._region.close()

    def _draw(self, width: int, height: int) -> RenderableType:
        return Group(self._board.draw(self._clock(), height), picture(self._rows, width))


@contextmanager
def shown(until: int) -> Iterator[Screen]:
    screen = Screen(until)
    try:
        with told_of_waits(screen):
            yield screen
    except KeyboardInterrupt:
        screen.interrupted()
        raise
    except BaseException:
        screen.done()
        raise
    screen.done()
