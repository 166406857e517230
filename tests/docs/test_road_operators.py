"""The chapters on roads beside the seventeen stages: their cheap commands are run as they are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardway.checks.files.table import TABLE
from hardway.checks.live.table import TABLE as FINAL
from tests.docs import console
from tests.docs.test_guide import GUIDE, SECTIONS

ROADS = [GUIDE / "road-operators.md"]
STOPPED = GUIDE.parent / "history.md"
OPERATORS = GUIDE / "road-operators.md"


@pytest.mark.parametrize("chapter", ROADS, ids=lambda c: c.stem)
def test_every_command_prints_what_the_chapter_shows(chapter: Path, tmp_path: Path) -> None:
    script = console.commands(chapter)
    home = tmp_path / "home"
    home.mkdir()
    ran = console.run(script, home, console.wrapper(tmp_path / "bin"))
    wrong = console.wrong(script, ran)
    assert not wrong, wrong


@pytest.mark.parametrize("chapter", ROADS, ids=lambda c: c.stem)
def test_chapters_have_one_shape(chapter: Path) -> None:
    headings = re.findall(r"^## (.+)$", chapter.read_text(), re.MULTILINE)
    assert [h for h in headings if h in SECTIONS] == list(SECTIONS)


@pytest.mark.parametrize("page", [OPERATORS, STOPPED], ids=lambda p: p.stem)
def test_checks_that_are_named_exist_and_all_of_the_road_are_named(page: Path) -> None:
    known = {check.name for check in TABLE} | {check.name for check in FINAL}
    named = set(re.findall(r"`((?:operators|manifest|final)\.[a-z-]+)`", page.read_text()))
    assert named <= known
    pages = OPERATORS.read_text() + STOPPED.read_text()
    assert [c.name for c in TABLE if c.name.startswith("operators.") and f"`{c.name}`" not in pages] == []
