"""The chapter on the rendered road is run as it is written."""

from __future__ import annotations

import os
from pathlib import Path

from hardway.lab import removal
from hardway.lab.paths import lab_paths
from tests.docs import console
from tests.docs.test_guide import GUIDE, free_network

CHAPTER = GUIDE / "road-rendered.md"
LAB_NAME, LAB_NETWORK = "byrender", "192.168.134."


def test_every_command_prints_what_the_chapter_shows(tmp_path: Path) -> None:
    name = f"rend{os.getpid()}"
    script = console.replaced(console.commands(CHAPTER), {LAB_NAME: name, LAB_NETWORK: free_network()})
    home = tmp_path / "home"
    home.mkdir()
    try:
        ran = console.run(script, home, console.wrapper(tmp_path / "bin"))
    finally:
        removal.remove(lab_paths(name))
    wrong = console.wrong(script, ran)
    assert not wrong, wrong
