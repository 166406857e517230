"""What a prerequisite is: a pure function of a machine's facts and a plan, with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from hardway.checks.host.programs import Profile
from hardway.checks.host.sizes import Cost
from hardway.model.cluster import Cluster
from hardway.model.report import Severity
from hardway.model.why import Why
from hardway.tools.machine.read import Machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What the machine is to carry."""

    cluster: Cluster
    cost: Cost
    here: Cost  # of the machines that are on this host
    profile: Profile
    built: datetime | None = None  # when the artifacts were last built, by the clock of then


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    subject: str
    message: str
    fix: str
    severity: Severity = "error"
    package: str = ""  # what would mend it and harm nothing: a package of the distribution
    commands: tuple[tuple[str, ...], ...] = ()  # or commands, in order


@dataclass(frozen=True, slots=True, kw_only=True)
class Prerequisite:
    name: str
    profiles: tuple[Profile, ...]
    why: Why
    read: Callable[[Machine, Planned], Iterable[Defect]]
    failure: str = ""

    @property
    def address(self) -> str:
        return f"check/{self.name}"
