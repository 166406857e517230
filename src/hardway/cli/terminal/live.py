"""Work on a terminal."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from hardway.cli.terminal.region import Region
from hardway.cli.terminal.rows import Rows
from hardway.cli.terminal.work import Unit

if TYPE_CHECKING:
    from rich.console import RenderableType


class Live:
    def __init__(self) -> None:
        self._rows = Rows()
        self._region = Region(self._draw)

    def begin(self, what: str) -> None:
        self._rows.see(what, 0, 0, "steps")

    def advance(self, what: str, done: int, total: int, unit: Unit = "steps") -> None:
        self._rows.see(what, done, total, unit)

    def wait(self, reason: str) -> AbstractContextManager[None]:
        return self._rows.wait(reason)

    def done(self) -> None:
        self._region.close()

    def _draw(self, width: int, height: int) -> RenderableType:
        from hardway.cli.terminal.drawing import picture

        return picture(self._rows, width)
