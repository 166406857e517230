"""Checks of all kinds, and the failures that they find."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hardway.explain.entry import Entry
from hardway.workspace.folder import Workspace


def checks(workspace: Workspace) -> Iterator[Entry]:
    from hardway.checks.files.table import TABLE

    for row in TABLE:
        facts = (("stage", row.stage), ("failure", f"failure/{row.failure}" if row.failure else ""))
        yield Entry(address=row.address, why=row.why, facts=facts)


def failures(workspace: Workspace) -> Iterator[Entry]:
    from hardway.checks.failures import TABLE
    from hardway.checks.files.table import TABLE as CHECKS

    found_by: dict[str, list[str]] = defaultdict(list)
    for check in CHECKS:
        found_by[check.failure].append(check.address)
    for row in TABLE:
        facts = (("how to find", row.detect), ("found by", ", ".join(found_by[row.id])))
        yield Entry(address=row.address, why=row.why, facts=facts)
