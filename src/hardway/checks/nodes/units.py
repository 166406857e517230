"""Units of systemd that have failed, or start again and again, and what their last words say."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.checks.log.scan import classify
from hardway.checks.log.secrets import without_secrets
from hardway.checks.log.table import ROWS
from hardway.checks.nodes.subject import RunningNodes
from hardway.io.harmless import one_line
from hardway.model.check import Flaw

LIST = ["systemctl", "list-units", "--all", "--plain", "--no-legend", "--no-pager", "--state=failed,auto-restart"]
LINES = 60  # of a unit's journal
SHOWN = 300


def failed(seen: RunningNodes) -> Iterator[Flaw]:
    for name, said in seen.ask_all(LIST).items():
        for row in filter(None, said.splitlines()):
            unit, _, active, *_ = [*row.split(), "", "", ""]
            state = "has failed" if active == "failed" else "ends, and is started again and again"
            yield _told(seen, name, unit, state)


def _told(seen: RunningNodes, name: str, unit: str, state: str) -> Flaw:
    journal = ["journalctl", f"--unit={unit}", f"--lines={LINES}", "--no-pager", "--output=short-iso"]
    lines = seen.ask({name: journal}).get(name, "").splitlines()
    failure, line = recognized(lines)
    last = line or (lines[-1] if lines else "its journal is empty")
    shown = without_secrets(one_line(last.strip()[: 10 * SHOWN]))[:SHOWN]
    return Flaw(
        subject=f"{name} {unit}",
        message=f"{state}: {shown}",
        failure=failure,
        fix=f"read what it says: `journalctl -u {unit}` on {name}",
    )


def recognized(lines: list[str]) -> tuple[str, str]:
    """The failure mode of the newest line whose words decide, and that line."""
    for line in reversed(lines):
        row = classify(line.encode(), ROWS)
        if row and len(row.modes) == 1 and not row.minutes:
            return row.modes[0], line
    return "", ""
