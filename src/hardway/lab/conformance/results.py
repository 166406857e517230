"""What ginkgo's report says, as figures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardway.io.harmless import one_line
from hardway.lab.conformance.specs import family
from hardway.model.errors import ToolError

PASSED, SKIPPED = "passed", "skipped"
LONGEST = 300  # of a failure's own words
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    name: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    passed: tuple[str, ...]
    failed: tuple[Failed, ...]
    skipped: Mapping[str, str]  # by themselves, while they ran: name to reason

    @property
    def ran(self) -> int:
        return len(self.passed) + len(self.failed)

    def families(self) -> dict[str, tuple[int, int]]:
        """Passed and failed, by group."""
        found: dict[str, tuple[int, int]] = {}
        for name in self.passed:
            good, bad = found.get(family(name), (0, 0))
            found[family(name)] = (good + 1, bad)
        for row in self.failed:
            good, bad = found.get(family(row.name), (0, 0))
            found[family(row.name)] = (good, bad + 1)
        return dict(sorted(found.items()))


def read(report: bytes, place: str) -> Results:
    """Of ginkgo's JSON report; `place` is where it was read."""
    try:
        (suite,) = json.loads(report)
        rows = suite["SpecReports"] or ()
        specs = [(_name(row), row["State"], _message(row)) for row in rows if row["LeafNodeType"] == "It"]
        around = [_around(row) for row in rows if row["LeafNodeType"] != "It" and row["State"] not in (PASSED, SKIPPED)]
    except (ValueError, KeyError, TypeError):
        raise ToolError(
            f"{place}: is not a report of ginkgo.\n    fix: read e2e.log beside it, and run the tests again"
        ) from None
    passed = sorted(name for name, state, _ in specs if state == PASSED)
    failed = [Failed(name=name, message=said) for name, state, said in specs if state not in (PASSED, SKIPPED)]
    return Results(
        passed=tuple(passed),
        failed=tuple(sorted([*failed, *around], key=lambda row: row.name)),
        skipped={name: said for name, state, said in sorted(specs) if state == SKIPPED and said},
    )


def _name(row: Mapping[str, Any]) -> str:
    return " ".join((*(row["ContainerHierarchyTexts"] or ()), row["LeafNodeText"]))


def _message(row: Mapping[str, Any]) -> str:
    said = _COLOUR.sub("", str((row.get("Failure") or {}).get("Message", "")))
    return one_line(" ".join(said.split())[:LONGEST])


def _around(row: Mapping[str, Any]) -> Failed:
    """What is done before and after all tests can fail too."""
    return Failed(name=str(row["LeafNodeType"]), message=_message(row))
