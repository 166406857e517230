"""What a row of the table of milestones says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardway.drive.observation import Observation
from hardway.lines.sources import source
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because

if TYPE_CHECKING:
    from hardway.drive.stall import Cause

MINUTE = 60
INSTALLER = source("installer", "cmd/openshift-install: API 20 min, bootstrap 45 min, installation 40 min")


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    name: str
    stage: str
    missing: Callable[[Observation, Cluster], str]  # what is being waited for; empty: it is reached
    who: str  # makes it so
    observed: str  # how one can see it
    seconds: int  # without reaching it, something is wrong
    limit: str  # why that long
    failures: tuple[str, ...]  # how it is known to fail
    why: Why
    progress: Callable[[Observation, Cluster], frozenset[str]] | None = None  # what is new begins the time anew
    causes: Callable[[Observation, Cluster], Sequence[Cause]] = lambda o, c: ()  # why it takes so long

    @property
    def normal(self) -> str:
        """How long it may take."""
        return f"{self.seconds // MINUTE} min{' without progress' if self.progress else ''}: {self.limit}"

    def reached(self, observation: Observation, cluster: Cluster) -> bool:
        return not self.missing(observation, cluster)


def milestone(
    name: str,
    stage: str,
    missing: Callable[[Observation, Cluster], str],
    what: str,
    breaks: str,
    *,
    who: str,
    observed: str,
    minutes: int,
    limit: str,
    failures: tuple[str, ...] = (),
    source: str = INSTALLER,
    progress: Callable[[Observation, Cluster], frozenset[str]] | None = None,
    causes: Callable[[Observation, Cluster], Sequence[Cause]] = lambda o, c: (),
) -> Milestone:
    why = because(what, readers="every milestone after it", breaks=breaks, source=source)
    return Milestone(
        name=name,
        stage=stage,
        missing=missing,
        who=who,
        observed=observed,
        seconds=minutes * MINUTE,
        limit=limit,
        failures=failures,
        why=why,
        progress=progress,
        causes=causes,
    )
