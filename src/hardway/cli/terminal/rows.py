"""What a live display shows of work: a row for each subject, and what is waited for. The clock is given."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hardway.cli.terminal.work import Unit
from hardway.io.harmless import harmless

SURE = 0.05  # of the work: from here on its end can be foretold


@dataclass(slots=True, kw_only=True)
class Row:
    subject: str
    begun: float
    unit: Unit
    detail: str = ""
    done: int = 0
    total: int = 0

    @property
    def open(self) -> bool:
        return self.done < self.total

    @property
    def numbers(self) -> str:
        if not self.total:
            return ""
        if self.unit == "bytes":
            return f"{self.done / 1e6:.1f}/{self.total / 1e6:.1f} MB"
        return f"{self.done}/{self.total}"

    def time(self, now: float) -> str:
        """How long it will take, as soon as that can be said, or how long it has taken."""
        taken = now - self.begun
        if self.open and self.done / self.total >= SURE:
            return f"{span(taken / self.done * (self.total - self.done))} left"
        return span(taken)


class Rows:
    """Told by the one who works, read by the one who draws."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._guard = clock, threading.Lock()
        self._rows: dict[str, Row] = {}
        self._waits: list[tuple[str, float]] = []

    def see(self, what: str, done: int, total: int, unit: Unit) -> None:
        """A new subject takes the place of those that are over, and of those of another unit."""
        subject, _, detail = harmless(what).partition(": ")
        with self._guard:
            if subject not in self._rows:
                self._rows = {name: row for name, row in self._rows.items() if row.unit == unit and row.open}
                self._rows[subject] = Row(subject=subject, begun=self._clock(), unit=unit)
            row = self._rows[subject]
            row.detail, row.done, row.total = detail, done, total

    def clear(self) -> None:
        with self._guard:
            self._rows = {}

    @contextmanager
    def wait(self, reason: str) -> Iterator[None]:
        row = (harmless(reason), self._clock())
        with self._guard:
            self._waits.append(row)
        try:
            yield
        finally:
            with self._guard:
                self._waits.remove(row)

    def cells(self) -> list[tuple[Row, str]]:
        """Each row with its time."""
        with self._guard:
            return [(row, row.time(self._clock())) for row in self._rows.values()]

    def waits(self) -> list[str]:
        with self._guard:
            return [f"{reason} ({span(self._clock() - since)})" for reason, since in self._waits]


def span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 60 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
