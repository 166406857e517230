"""Every correction has a test, and every test of a correction is named on the page."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "corrections.md").read_text()
LABELS = ["True for 4.18", "How it fails", "Evidence", "hardway", "Test"]
LONGEST = 600  # characters of an item: a section is read at a glance


def sections() -> dict[str, dict[str, str]]:
    """By title: each item's label and text, in one line."""
    found = {}
    for part in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        items = re.findall(r"^- \*\*(.+?)\*\*: (.+(?:\n  .+)*)", rest, re.MULTILINE)
        assert title not in found, title
        found[title] = {label: " ".join(text.split()) for label, text in items}
    return found


SECTIONS = sections()


def named() -> set[str]:
    return {items["Test"].strip("`") for items in SECTIONS.values()}


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


def test_every_section_names_a_test_that_exists():
    assert len(SECTIONS) > 90
    assert named() - existing() == set()


def test_every_test_is_named_by_a_section():
    assert written() - named() == set()


@pytest.mark.parametrize("title", SECTIONS)
def test_every_section_is_whole(title):
    items = SECTIONS[title]
    assert [label for label in items if label != "The notes say"] == LABELS
    assert [label for label, text in items.items() if len(text) > LONGEST] == []
    assert re.fullmatch(r"`tests/[\w/]+\.py::test_\w+`", items["Test"])
    if says := items.get("The notes say"):
        assert re.search(r" \([^()]*(?:understanding|bootkube|hand-written|rendered|progress)[^()]*\)$", says)


def test_no_table_is_left():
    assert [line for line in PAGE.splitlines() if line.startswith("|")] == []
