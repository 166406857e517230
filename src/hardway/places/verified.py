"""What was looked at after a stage, a row each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hardway.drive.live import LiveCluster
from hardway.drive.observe import observe
from hardway.model.check import Check, Report
from hardway.stages.row import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Something that was looked at after the stage."""

    name: str
    text: str
    state: Literal["ok", "WRONG", "skipped", "ignored"]

    @property
    def ok(self) -> bool:
        return self.state != "WRONG"


def seen(name: str, text: str, *, ok: bool) -> Verified:
    return Verified(name=name, text=text, state="ok" if ok else "WRONG")


def found(report: Report, checks: Sequence[Check[Any]]) -> Iterator[Verified]:
    for check in checks:
        wrong, ignored = (
            "; ".join(f"{f.subject}: {f.message}" for f in findings if f.check == check.name)
            for findings in (report.errors, report.ignored)
        )
        if reason := report.skipped.get(check.name):
            yield Verified(name=check.name, text=reason, state="skipped")
        elif ignored:
            yield Verified(name=check.name, text=ignored, state="ignored")
        else:
            yield seen(check.name, wrong or check.why.what, ok=not wrong)


def reached(live: LiveCluster, stage: Stage) -> Iterator[Verified]:
    """Looked at anew, and not taken from what the stage has said."""
    now = observe(live)
    for row in stage.reaches:
        missing = row.missing(now, live.cluster)
        yield seen(row.name, missing or f"{row.why.what} Seen in: {row.observed}.", ok=not missing)
