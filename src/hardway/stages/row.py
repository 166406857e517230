"""What a stage is: its work, what it makes, what looks at it, what it reaches, and the command for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from hardway.model.stages import NAMES
from hardway.model.why import Why

if TYPE_CHECKING:
    from hardway.checks.all import Looks
    from hardway.drive.milestones.row import Milestone
    from hardway.model.check import Check

Work = Literal["examine", "infrastructure", "build", "install", "drive", "final"]
"""Who does it: nobody, it only looks at this machine; what makes networks and machines; the graph; what boots machines;
the loop of observing and acting; the last verification."""


RUNNING: tuple[Work, ...] = ("drive", "final")
"""The work of stages that need a running cluster: in a lab, or on machines of your own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    number: str
    work: Work
    why: Why
    about: str  # its chapter of the guide
    machines: str  # the command for libvirt and machines of your own
    makes: tuple[str, ...] = ()  # kinds of addresses
    brings: tuple[str, ...] = ()  # folders below assets that come from outside of the graph
    looks: tuple[Looks, ...] = ()  # the tables of checks that look at it
    status: str = ""  # the command that shows how it stands, if that is another one
    colour: str = ""  # in pictures

    @property
    def name(self) -> str:
        return NAMES[self.number].name

    @property
    def title(self) -> str:
        return NAMES[self.number].title

    @property
    def address(self) -> str:
        return NAMES[self.number].address

    @property
    def label(self) -> str:
        return NAMES[self.number].label

    @property
    def lab(self) -> str:
        """The command for the lab."""
        return f"hardway lab run {self.number}"

    @property
    def run(self) -> str:
        """The command that does its work; of a running cluster, the one that also makes a lab where there is none."""
        return f"hardway lab up --until {self.number}" if self.runs else self.machines

    @property
    def runs(self) -> bool:
        """Whether it needs a running cluster."""
        return self.work in RUNNING

    @property
    def fix(self) -> str:
        """What to do for a result of this stage: its command, or one for each place where a cluster runs."""
        return f"run `{self.run}`, or `{self.machines}` on machines of your own" if self.runs else f"run `{self.run}`"

    def checks(self, *tables: Looks) -> tuple[Check[Any], ...]:
        """What looks at the result of this stage, or at the machine before it: of these tables, or of all."""
        from hardway.checks.all import tables as every

        chosen = [table for table in self.looks if not tables or table in tables]
        return tuple(check for table in chosen for check in every()[table] if check.stage == self.number)

    @property
    def reaches(self) -> tuple[Milestone, ...]:
        """The milestones of a cluster on its way that belong to it."""
        from hardway.drive.milestones.table import TABLE

        return tuple(row for row in TABLE if row.stage == self.number)
