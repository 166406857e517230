"""What the project grew from is told on one page, and in the corrections; nowhere else is it spoken of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardway.bootkube.table import TABLE

ROOT = Path(__file__).parents[3]
HISTORY = ROOT / "docs" / "history.md"
TOLD = {HISTORY, ROOT / "docs" / "corrections.md"}
PAGES = [page for page in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))] if page not in TOLD]
CODE = sorted((ROOT / "src" / "hardway").rglob("*.py"))
NOTES = re.compile(r"\b(?:the|source|their|these|five) notes\b|\bnotes'", re.IGNORECASE)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_other_page_speaks_of_the_notes(page: Path):
    assert NOTES.findall(page.read_text()) == []


def test_the_program_does_not_speak_of_the_notes():
    assert [str(file.relative_to(ROOT)) for file in CODE if NOTES.search(file.read_text())] == []


def test_each_of_the_notes_fifteen_stages_is_a_stage_of_bootkube_or_said_to_be_none():
    rows = re.findall(r"^\| (\d+) \| (?:`([a-z-]+)`|none: .+) \|$", HISTORY.read_text(), re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 16))
    named = [name for _, name in rows if name]
    assert len(named) == len(set(named)) == 14
    assert set(named) <= {stage.name for stage in TABLE}
