"""How far a cluster is on its way: every milestone, as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardway.drive.milestones.table import TABLE
from hardway.drive.observation import Observation
from hardway.model.cluster import Cluster


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneRow:
    name: str
    stage: str
    reached: bool  # as it is now
    missing: str = ""  # of the first that is not reached
    before: bool = False  # it was reached once, also if machines that show it are off now


class Way:
    """What is still to come, of whoever has `milestones`."""

    __slots__ = ()
    milestones: tuple[MilestoneRow, ...]

    @property
    def waiting(self) -> MilestoneRow | None:
        """The first milestone that is not reached now."""
        return next((row for row in self.milestones if not row.reached), None)

    @property
    def next(self) -> MilestoneRow | None:
        """The first milestone that was never reached."""
        return next((row for row in self.milestones if not (row.reached or row.before)), None)


def milestones(cluster: Cluster, seen: Observation, past: frozenset[str]) -> Iterator[MilestoneRow]:
    """In order: what comes after the first that is missing is not looked at."""
    reached = True
    for row in TABLE:
        missing = row.missing(seen, cluster) if reached else ""
        reached = reached and not missing
        yield MilestoneRow(name=row.name, stage=row.stage, reached=reached, missing=missing, before=row.name in past)
