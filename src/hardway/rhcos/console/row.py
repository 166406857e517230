"""What a machine says on its serial console while it is installed, and what it means.

Milestones come in order; one that comes out of order is not believed, so that the login prompt of the live system is
not taken for that of the installed one. The troubles are in two tables of their own: what the machine and the live
system say, and what Ignition says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Phase = Literal["live", "writing", "written", "rebooted", "configured", "up"]
Weight = Literal["fatal", "retried"]
"""After a fatal message the machine does nothing any more; what is retried may still come right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    phase: Phase
    pattern: re.Pattern[str]
    told: str
    after: Phase | None = None  # what must have been seen before


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    name: str
    pattern: re.Pattern[str]
    meaning: str
    fix: str
    failure: str = ""  # its id in the failure table, where it has one
    weight: Weight = "fatal"
    after: Phase | None = None  # before this it means nothing


def _milestone(phase: Phase, pattern: str, told: str, after: Phase | None = None) -> Milestone:
    return Milestone(phase=phase, pattern=re.compile(pattern), told=told, after=after)


MILESTONES: tuple[Milestone, ...] = (
    _milestone("live", r"ommand line: .*\bcoreos\.live(iso|\.rootfs_url)?\b", "the live system boots"),
    _milestone("writing", r"coreos-installer install\b|> Read disk |Installing .*\bCoreOS\b", "the image is written"),
    _milestone("written", r"\bInstall complete\.", "the image is on the disk"),
    _milestone("rebooted", r"ommand line: (?!.*\bcoreos\.live)", "the machine boots from its disk", after="written"),
    _milestone(
        "configured",
        r"Reached target .*Ignition Complete|ignition\[\d+\]: .*files: .*Ignition finished successfully",
        "Ignition has written the machine's files",
        after="rebooted",
    ),
    _milestone("up", r"^\S+ login: *$|^\S+ login: (?!.*automatic)", "the installed system runs", after="rebooted"),
)


def trouble(
    name: str,
    pattern: str,
    meaning: str,
    fix: str,
    failure: str = "",
    weight: Weight = "fatal",
    after: Phase | None = None,
) -> Trouble:
    return Trouble(
        name=name,
        pattern=re.compile(pattern),
        meaning=meaning,
        fix=fix,
        failure=failure,
        weight=weight,
        after=after,
    )
