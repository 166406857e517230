"""How the report of checks is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from hardway.cli.options import counted, print_json

if TYPE_CHECKING:
    from hardway.checks.all import Rows
    from hardway.model.check import Finding, Report


def print_checks(checks: Rows, output: str) -> None:
    if output == "json":
        print_json([{"check": c.name, "stage": c.stage, "failure": c.failure, "what": c.why.what} for c in checks])
        return
    for check in checks:
        click.echo(f"{check.name:28} {check.stage} {check.failure:4} {check.why.what}")


def print_report(report: Report, *, noun: str = "check", suffers: Mapping[str, str] | None = None) -> None:
    """Every finding with its fix, then why checks could not run, then the numbers."""
    for finding in report.findings:
        click.echo(f"{finding.label}: {finding.line}")
        if suffers:
            click.echo(f"    suffers: {suffers[finding.check]}")
        click.echo(f"    fix: {finding.fix}")
    for reason, number in Counter(report.skipped.values()).items():
        click.echo(f"skipped: {counted(number, noun)}: {reason}")
    click.echo(numbers(report, noun))


def numbers(report: Report, noun: str) -> str:
    skipped = f", {len(report.skipped)} skipped" if report.skipped else ""
    ignored = f" ({len(report.ignored)} ignored)" if report.ignored else ""
    return f"{counted(len(report.ran), noun)} ran{skipped}, {counted(len(report.findings), 'finding')}{ignored}"


def print_ignored(findings: tuple[Finding, ...]) -> None:
    """Beside what a command prints for programs to read."""
    for finding in findings:
        click.echo(f"{finding.label}: {finding.line}", err=True)
