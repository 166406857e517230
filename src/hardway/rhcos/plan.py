"""What has to be done for each machine: nothing, wait for what is under way, or install it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardway.model.errors import ConfigError
from hardway.rhcos.machine import Machine
from hardway.rhcos.record import Entry

Fate = Literal["installed", "under way", "install", "install again"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    machine: Machine
    fate: Fate
    entry: Entry | None

    @property
    def name(self) -> str:
        return self.machine.node.name

    @property
    def new(self) -> bool:
        return self.fate in ("install", "install again")


def decide(machine: Machine, entry: Entry | None, *, again: bool) -> Job:
    return Job(machine=machine, fate=_fate(machine, entry, again), entry=entry)


def _fate(machine: Machine, entry: Entry | None, again: bool) -> Fate:
    """The disk has the last word: what was removed and made anew is not installed, whatever was written down."""
    running, empty = machine.state() == "running", machine.is_empty()
    if again:
        return "install" if empty else "install again"
    if entry is None and not empty:
        name = machine.node.name
        raise ConfigError(
            f"{name}: its disk is not empty, and was not installed from this folder.\n"
            f"    fix: if nothing on it is needed, `hardway install {name} --again` erases the disk first"
        )
    if entry and entry.state == "begun" and running:
        return "under way"
    if empty or entry is None:
        return "install"
    return "installed" if entry.state == "installed" else "install again"
