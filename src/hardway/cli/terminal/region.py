"""A region of the terminal that is drawn over itself. It opens after a moment, and nothing of it stays."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from hardway.cli.terminal.settings import chosen, colored

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

    Draw = Callable[[int, int], RenderableType]  # for a terminal of that many columns and rows

PATIENCE = 1.0  # seconds: what is quicker leaves the terminal alone
TIMES = 5  # drawn in a second


def console() -> Console:
    """Standard error, which is a terminal."""
    from rich.console import Console

    return Console(
        stderr=True,
        force_terminal=True,
        color_system="auto" if colored(err=True) else None,
        no_color=False if chosen.color == "always" else None,
        highlight=False,
        markup=False,
        emoji=False,
    )


def ended(number: int, frame: FrameType | None) -> NoReturn:
    """As Ctrl-C does: whoever works cleans up, the terminal too."""
    raise SystemExit(128 + number)


class Region:
    """What others print meanwhile stands above it."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._live: Live | None = None
        self._guard, self._closed = threading.Lock(), False
        self._timer = threading.Timer(PATIENCE, self._open)
        self._timer.daemon = True
        self._timer.start()
        self._before = signal.signal(signal.SIGTERM, ended)

    def _open(self) -> None:
        from rich.live import Live

        with self._guard:
            if self._closed:
                return
            there = console()
            self._live = Live(
                console=there,
                get_renderable=lambda: self._draw(there.width, there.height),
                refresh_per_second=TIMES,
                transient=True,
                redirect_stdout=sys.stdout.isatty(),
                vertical_overflow="crop",
            )
            self._live.start(refresh=True)

    def close(self, last: Draw | None = None) -> None:
        """`last` is a picture that stays."""
        self._timer.cancel()
        signal.signal(signal.SIGTERM, self._before)
        with self._guard:
            self._closed = True
            if self._live:
                self._live.stop()
                self._live = None
        if last:
            there = console()
            there.print(last(there.width, there.height))
