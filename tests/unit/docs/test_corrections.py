"""Every correction has a test, and every test of a correction is named on the page."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "corrections.md").read_text()
ROWS = [line for line in PAGE.splitlines() if re.match(r"\| .* \|$", line) and "::" in line]


def named() -> set[str]:
    return {found for row in ROWS for found in re.findall(r"`(tests/[\w/]+\.py::\w+)`", row)}


def cases(module: Path) -> set[str]:
    return {
        f"{module.relative_to(ROOT)}::{node.name}"
        for node in ast.parse(module.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def written() -> set[str]:
    return set().union(*(cases(m) for m in sorted((ROOT / "tests" / "docs").glob("test_corrections_*.py"))))


def existing() -> set[str]:
    return set().union(*(cases(ROOT / name.split("::")[0]) for name in named()))


def test_every_row_names_a_test_that_exists():
    assert len(ROWS) > 40
    assert [row for row in ROWS if len(re.findall(r"::", row)) != 1] == []
    assert named() - existing() == set()


def test_every_test_is_named_by_a_row():
    assert written() - named() == set()


def test_every_row_is_whole():
    for row in ROWS:
        note, says, true, evidence, how, _ = (cell.strip() for cell in row.strip("|").split(" | "))
        assert true, row
        assert evidence, row
        assert how, row
        assert bool(note) == bool(says), row
