"""The page on the doctor is run as it is written."""

from __future__ import annotations

from pathlib import Path

from tests.docs import console
from tests.docs.test_guide import GUIDE


def test_every_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    script = console.commands(GUIDE / "doctor.md", release=False)
    home = tmp_path / "home"
    home.mkdir()
    ran = console.run(script, home, console.wrapper(tmp_path / "bin"))
    wrong = console.wrong(script, ran)
    assert not wrong, wrong
