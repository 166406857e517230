"""Reads a log once, and keeps of each row of words the first line, the last one and their number.

A line is looked at only if it contains the first part of some row. The memory that is needed is the same for any log.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from hardway.checks.log.row import Words
from hardway.checks.log.sieve import LONGEST, Pieces, sift
from hardway.checks.log.times import Moment, moment

TAIL = 200
"""Lines at the end of a log in which its last time is searched for."""


@dataclass(slots=True)
class Sighting:
    """What was seen of one row."""

    number: int  # of its first line
    line: bytes
    count: int = 1
    first: Moment | None = None
    last: Moment | None = None
    last_number: int = 0

    def again(self, number: int, when: Moment | None) -> None:
        self.count += 1
        self.last_number = number
        if when and (self.last is None or when.clock == self.last.clock):
            self.first, self.last = self.first or when, when


@dataclass(slots=True)
class Scanned:
    """What a log shows."""

    name: str
    sightings: dict[str, Sighting] = field(default_factory=dict)
    end: Moment | None = None
    lines: int = 0


def anchors(rows: Sequence[Words]) -> tuple[bytes, ...]:
    """What is searched for: the first part of every alternative; of two that contain each other, the shorter."""
    firsts = {a.parts[0] for row in rows for a in row.alternatives} | {row.after for row in rows if row.after}
    return tuple(sorted(f for f in firsts if not any(other != f and other in f for other in firsts)))


def scan(stream: BinaryIO, name: str, rows: Sequence[Words]) -> Scanned:
    found = Scanned(name=name)
    pieces, before = Pieces(stream), set[bytes]()
    later = {row.after for row in rows if row.after}
    for number, line in sift(pieces, anchors(rows)):
        before |= {words for words in later if words in line}
        if row := classify(line, rows, before):
            _see(found, row, number, line)
    found.end, found.lines = _end(pieces.last), pieces.lines
    return found


def classify(line: bytes, rows: Sequence[Words], before: Collection[bytes] = ()) -> Words | None:
    """The first row that fits. `before`: words of lines that came before."""
    return next((row for row in rows if row.fits(line) and (not row.after or row.after in before)), None)


def _see(found: Scanned, row: Words, number: int, line: bytes) -> None:
    when = moment(line)
    if row.name in found.sightings:
        found.sightings[row.name].again(number, when)
    else:
        found.sightings[row.name] = Sighting(number=number, line=line, first=when, last=when, last_number=number)


def _end(piece: bytes) -> Moment | None:
    lines = reversed(piece[-LONGEST:].rsplit(b"\n", TAIL))
    return next((when for line in lines if (when := moment(line))), None)
