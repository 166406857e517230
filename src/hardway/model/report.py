"""What verification finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One defect: which check saw it, where, what it means and what to do."""

    check: str
    subject: str
    message: str
    fix: str
    failure: str = ""
    severity: Severity = "error"

    def as_dict(self) -> dict[str, str]:
        return {
            "check": self.check,
            "severity": self.severity,
            "subject": self.subject,
            "message": self.message,
            "fix": self.fix,
            "failure": self.failure,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The checks that ran and what they found."""

    ran: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity == "error")

    @property
    def ok(self) -> bool:
        return not self.errors

    @staticmethod
    def merge(reports: Iterable[Report]) -> Report:
        several = list(reports)
        return Report(
            ran=tuple(name for r in several for name in r.ran),
            findings=tuple(f for r in several for f in r.findings),
        )
