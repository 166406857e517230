"""The end of `up`, wherever the cluster runs: what the last verification found, what the client has counted,
and which commands come next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hardway.cli.report import print_ignored
from hardway.cli.terminal.text import ours, tell
from hardway.model.errors import CheckError

if TYPE_CHECKING:
    from hardway.model.check import Report


def judge(subject: str, report: Report) -> None:
    print_ignored(report.ignored)
    if not report.ok:
        rows = [f"  {f.line}\n    fix: {f.fix}" for f in report.errors]
        raise CheckError("\n".join([f"{subject}: the final verification failed:", *rows]))


def print_availability(kept: Path) -> None:
    """What the client that never stops asking has seen, if it has begun."""
    from hardway.drive.pulse import read

    figures = read(kept)
    if figures.requests:
        tell("\n  ".join(["availability (10 probes/s):", *figures.lines]))


def next_steps(subject: str, stage: int, commands: list[tuple[str, str]]) -> str:
    """Each command with what it shows, without the program's name."""
    rows = [(f"{ours()} {command}", what) for command, what in commands]
    wide = max(len(command) for command, _ in rows)
    lines = [f"  {command:<{wide}}  {what}" for command, what in rows]
    return "\n".join([f"{subject} has reached stage {stage:02}. Next:", *lines])
