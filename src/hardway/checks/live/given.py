"""What the last checks are given: the world, something to run in it, and a way to look into a pod."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from hardway.drive.live import LiveCluster
from hardway.tools.patience import Patience
from hardway.tools.run import Done


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A program that answers HTTP with a known word, in an image that the nodes can pull."""

    image: str
    command: tuple[str, ...]
    port: int
    word: str
    inside: tuple[str, ...]  # a harmless program of the image, for exec
    fetch: tuple[str, ...] = ()  # one that prints what an address answers, which comes last; without, pods do not ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    live: LiveCluster
    now: datetime
    workload: Workload
    kubectl: Callable[[Sequence[str]], Done]  # as the administrator
    seconds: float = 180.0  # for what needs a pod to start
    sleep: Callable[[float], None] = time.sleep

    def until(self, what: Callable[[], str]) -> str:
        """Ask until nothing is missing; what is still missing after the last time."""
        patience = Patience(self.seconds)
        while (missing := what()) and not patience.ended():
            self.sleep(1.0)
        return missing
