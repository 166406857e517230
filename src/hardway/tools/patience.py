"""How long to wait. A limit is meant for a machine that has time for what is waited for; a busy one gets longer."""

from __future__ import annotations

import os
import time

LEAST = 0.05  # of a second counts, however busy the machine is: every wait ends


def share() -> float:
    """How much of a processor there is for each process that wants one; at most a whole one."""
    wanting = os.getloadavg()[0]
    processors = len(os.sched_getaffinity(0))
    return max(LEAST, processors / max(wanting, processors))


def stretched(seconds: float) -> float:
    """The same time limit for somebody who can wait only once, as the machine is just now."""
    return seconds / share()


class Patience:
    """A time limit that is looked at again and again. Seconds count by the share that the machine has to give."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._looked = time.monotonic()

    def ended(self) -> bool:
        now = time.monotonic()
        self._left -= (now - self._looked) * share()
        self._looked = now
        return self._left <= 0
