"""A milestone that is not reached in its time: what was missing, and why, as far as somebody has found out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardway.drive.milestones.row import Milestone
from hardway.model.errors import CheckError

AGAIN = "then run this again to continue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One root of what is wrong."""

    text: str
    evidence: str
    fix: str
    failures: tuple[str, ...] = ()
    normal: str = ""  # what looks wrong there, and is not


def failures(row: Milestone, causes: Sequence[Cause]) -> tuple[str, ...]:
    """The failure modes that were found; those that are known of the milestone, if nothing was."""
    return tuple(dict.fromkeys(name for cause in causes for name in cause.failures)) if causes else row.failures


def stalled(row: Milestone, missing: str, limit: float, causes: Sequence[Cause]) -> CheckError:
    lines = [
        f"stage {row.stage}, {row.name}: not reached{', and no progress' if row.progress else ''} in {limit:.0f} s "
        f"({row.limit}).",
        f"    missing: {missing}",
        f"    made by: {row.who}; visible in: {row.observed}",
    ]
    for cause in causes:
        lines += [f"    cause: {cause.text}", f"    seen: {cause.evidence}"]
        lines += [f"    normal: {cause.normal}"] if cause.normal else []
    advice = causes[0].fix if causes else _known(row)
    return CheckError("\n".join([*lines, f"    fix: {advice}; {AGAIN}"]))


def _known(row: Milestone) -> str:
    known = ", ".join(f"`hardway explain failure/{name}`" for name in row.failures)
    return f"known causes: {known}" if known else "look at the machine's console and journal"
