"""Checks of all kinds, and the failures that they find."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hardway.explain.entry import Entry
from hardway.workspace.folder import Workspace


def checks(workspace: Workspace) -> Iterator[Entry]:
    from hardway.checks import all

    for kind, rows in all.tables().items():
        for row in rows:
            failure = f"failure/{row.failure}" if row.failure else ""
            facts = (("run by", all.COMMANDS[kind]), ("stage", row.stage), ("failure", failure), ("fix", row.fix))
            yield Entry(address=row.address, why=row.why, facts=facts)


def rules(workspace: Workspace) -> Iterator[Entry]:
    """For the user's own documents: what is wrong there ends with the rule's name."""
    from hardway.model.own.reasons import REASONS

    return (Entry(address=f"rule/own.{name}", why=why) for name, why in REASONS.items())


def failures(workspace: Workspace) -> Iterator[Entry]:
    from hardway.checks import all
    from hardway.checks.failures import TABLE

    found_by: dict[str, list[str]] = defaultdict(list)
    for check in all.checks():
        found_by[check.failure].append(check.address)
    for row in TABLE:
        facts = (("how to find", row.detect), ("found by", ", ".join(found_by[row.id])), ("fix", row.fix))
        yield Entry(address=row.address, why=row.why, facts=facts)
