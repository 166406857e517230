"""When a line of a log was written, as far as it says so: seconds on a clock of its own kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MONTHS = {name: number for number, name in enumerate(b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())}
DAYS = 31
_CLOCK = rb"(\d\d):(\d\d):(\d\d)"
_KERNEL = re.compile(rb"\[ *(\d{1,7})\.\d{3,6}\]")
_DATE = re.compile(rb"(\d{4})-(\d\d)-(\d\d)[T ]" + _CLOCK)
_SYSLOG = re.compile(rb"(" + b"|".join(MONTHS) + rb") +(\d{1,2}) " + _CLOCK)
_KLOG = re.compile(rb"[IWEF](\d\d)(\d\d) " + _CLOCK)
HEAD = 200
"""A time is at the beginning of a line."""


class Moment(NamedTuple):
    clock: str  # moments of different clocks cannot be compared
    seconds: int


def moment(line: bytes) -> Moment | None:
    """The year is left out where lines have none: an installation over New Year's Eve looks longer than it is."""
    head = line[:HEAD]
    if found := _DATE.search(head):
        year, month, day, *clock = map(int, found.groups())
        return Moment("date", _seconds((year * 12 + month) * DAYS + day, clock))
    if found := _SYSLOG.search(head):
        return Moment("syslog", _seconds(MONTHS[found[1]] * DAYS + int(found[2]), map(int, found.groups()[2:])))
    if found := _KLOG.search(head):
        month, day, *clock = map(int, found.groups())
        return Moment("klog", _seconds(month * DAYS + day, clock))
    if found := _KERNEL.search(head):
        return Moment("boot", int(found[1]))
    return None


def _seconds(day: int, clock: Iterable[int]) -> int:
    hour, minute, second = clock
    return ((day * 24 + hour) * 60 + minute) * 60 + second
