"""Labs take turns: a whole cluster wants every processor, and two of them at once starve each other.

Within a run of the tests, one worker gets all labs, one after the other and before anything else, while the other
workers have the light tests: nobody waits. Over several runs on one machine a lock is held as long as a module's lab is
there.
"""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from xdist.scheduler import LoadFileScheduling

LABS = ("tests/lab/", "tests/docs/test_guide.py")
SECONDS = 3600  # for a lab's test and what it stands on
LOCK = Path("/run/hardway-tests.lock")


def is_lab(test: str) -> bool:
    """By the test's id, which is all that whoever hands tests to workers has."""
    return test.startswith(LABS)


class LabsTogether(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """A worker gets a file's tests, or those of all labs."""

    def _split_scope(self, nodeid: str) -> str:
        return "labs" if is_lab(nodeid) else super()._split_scope(nodeid)


class Turn:
    """To be taken and given back any number of times; it ends with its process, however that ends."""

    def __init__(self) -> None:
        self._held: IO[str] | None = None

    def take(self) -> None:
        """Others may be at it for an hour."""
        if self._held is None:
            self._held = LOCK.open("a")
            fcntl.flock(self._held, fcntl.LOCK_EX)

    def give(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None
