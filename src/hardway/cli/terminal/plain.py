"""Progress where there is no terminal: lines on standard error, few enough for a log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from hardway.cli.terminal.work import Unit
from hardway.io.harmless import harmless

PATIENCE = 2.0  # seconds of work that nobody needs to hear of
PAUSE = 10.0  # between two lines about one subject


class Plain:
    """Bytes: a line a tenth. Steps: a line a subject, and now and then. Of files the summary tells."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._tenths: dict[str, int] = {}
        self._last = ("", 0.0)  # subject, when

    def begin(self, what: str) -> None:
        _line(f"{what} ...")

    def advance(self, what: str, done: int, total: int, unit: Unit = "steps") -> None:
        if unit == "bytes":
            self._bytes(what, done, total)
        elif unit == "steps":
            self._steps(what, done, total)

    @contextmanager
    def wait(self, reason: str) -> Iterator[None]:
        _line(reason)
        yield

    def done(self) -> None: ...

    def _bytes(self, what: str, done: int, total: int) -> None:
        tenth = 10 * done // total if total else 0
        if self._tenths.get(what) == tenth and done != total:
            return
        self._tenths[what] = tenth
        _line(f"{what}: {done / 1e6:.1f} of {total / 1e6:.1f} MB")

    def _steps(self, what: str, done: int, total: int) -> None:
        now, subject = time.monotonic(), what.partition(":")[0]
        if now - self._begun < PATIENCE or (subject == self._last[0] and now - self._last[1] < PAUSE):
            return
        self._last = (subject, now)
        _line(f"{what} ({done} of {total})" if total else what)


def _line(text: str) -> None:
    click.echo(harmless(text), err=True)
