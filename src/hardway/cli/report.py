"""How the report of checks is printed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hardway.cli.options import counted, print_json
from hardway.cli.terminal.text import show, tell

if TYPE_CHECKING:
    from hardway.checks.all import Rows
    from hardway.model.check import Finding, Report


def print_checks(checks: Rows, output: str) -> None:
    if output == "json":
        print_json([{"check": c.name, "stage": c.stage, "failure": c.failure, "what": c.why.what} for c in checks])
        return
    for check in checks:
        show(f"{check.name:28} {check.stage} {check.failure:4} {check.why.what}")


def print_report(report: Report, *, noun: str = "check", effects: bool = False) -> None:
    """Every finding with its fix, then why checks could not run, then the numbers."""
    for finding in report.findings:
        show(f"{finding.label}: {finding.line}")
        if effects:
            show(f"    effect: {finding.breaks}")
        show(f"    fix: {finding.fix}")
    print_skipped(report, noun)
    tell(numbers(report, noun))


def print_skipped(report: Report, noun: str = "check") -> None:
    for reason, number in Counter(report.skipped.values()).items():
        tell(f"skipped: {counted(number, noun)}: {reason}")


def numbers(report: Report, noun: str = "check") -> str:
    skipped = f", {len(report.skipped)} skipped" if report.skipped else ""
    ignored = f" ({len(report.ignored)} ignored)" if report.ignored else ""
    return f"{counted(len(report.ran), noun)} ran{skipped}, {counted(len(report.findings), 'finding')}{ignored}"


def print_ignored(findings: tuple[Finding, ...]) -> None:
    """Beside what a command prints for programs to read."""
    for finding in findings:
        show(f"{finding.label}: {finding.line}", err=True)
