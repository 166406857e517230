"""How long to wait. A limit is meant for a machine that has time for what is waited for; a busy one gets longer."""

from __future__ import annotations

import os
import time

LEAST = 0.05  # of a second counts, however busy the machine is
MORE = 3600.0  # seconds beyond the limit, at most: every wait ends


def share() -> float:
    """How much of a processor there is for each process that wants one; at most a whole one."""
    wanting = os.getloadavg()[0]
    processors = len(os.sched_getaffinity(0))
    return max(LEAST, processors / max(wanting, processors))


def stretched(seconds: float) -> float:
    """The same time limit for somebody who can wait only once, as the machine is just now."""
    return min(seconds / share(), seconds + MORE)


class Patience:
    """A time limit that is looked at again and again. Seconds count by the share that the machine has to give."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._looked = time.monotonic()
        self._end = self._looked + seconds + MORE

    def ended(self) -> bool:
        now = time.monotonic()
        self._left -= (now - self._looked) * share()
        self._looked = now
        return self._left <= 0 or now > self._end
