"""The guide is run by somebody who leaves chapter 04 out."""

from __future__ import annotations

from pathlib import Path

from tests.docs import console
from tests.docs.test_guide import CHAPTERS

FILES = [chapter for chapter in CHAPTERS if chapter.name < "10" and not chapter.name.startswith("04-")]


def test_every_command_prints_what_the_chapter_shows_without_chapter_04(tmp_path: Path) -> None:
    script = [command for chapter in FILES for command in console.commands(chapter, release=False)]
    home = tmp_path / "home"
    home.mkdir()
    ran = console.run(script, home, console.wrapper(tmp_path / "bin"))
    wrong = console.wrong(script, ran)
    assert not wrong, wrong


def test_a_block_for_those_without_it_follows_one_for_those_with_it() -> None:
    for chapter in FILES:
        kinds = [block[1] for block in console.FENCE.finditer(chapter.read_text())]
        before = [kinds[number - 1] for number, kind in enumerate(kinds) if kind == "without"]
        assert set(before) <= {"with"}, chapter.name
