"""The guide is run as it is written: every command of every chapter, in order, in one folder."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardway.lab import removal
from hardway.lab.paths import lab_paths
from hardway.stages.table import TABLE
from tests.docs import console
from tests.lab.machines import networking
from tests.support import transcript

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
CHAPTERS = sorted(GUIDE.glob("[0-9][0-9]-*.md"))
REGISTRY_PORT = "5418"  # the one that the chapters write
LAB_NAME, LAB_NETWORK = "byhand", "192.168.133."
SECTIONS = (
    "What you will have",
    "Why",
    "The commands",
    "Verify from below",
    "What goes wrong here",
    "Next",
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def free_network() -> str:
    """How the addresses of a machine network begin that no other test has."""
    found = re.search(r"([\d.]+\.)0/24", str(networking()["machineNetwork"]))
    assert found
    return found[1]


@pytest.fixture
def lab_name() -> Iterator[str]:
    """A lab's name that no other process has; whatever a failed run leaves of it goes."""
    name = f"guide{os.getpid()}"
    yield name
    removal.remove(lab_paths(name))


def test_every_command_prints_what_the_chapter_shows(tmp_path: Path, lab_name: str) -> None:
    written = [command for chapter in CHAPTERS for command in console.commands(chapter)]
    others = {REGISTRY_PORT: str(free_port()), LAB_NAME: lab_name, LAB_NETWORK: free_network()}
    script = console.replaced(written, others)
    home = tmp_path / "home"
    home.mkdir()
    ran = console.run(script, home, console.wrapper(tmp_path / "bin"))
    wrong = console.wrong(script, ran)
    assert not wrong, wrong


def test_a_chapter_for_every_stage() -> None:
    assert [c.stem for c in CHAPTERS] == [f"{s.number}-{s.name}" for s in TABLE]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.stem)
def test_chapters_have_one_shape(chapter: Path) -> None:
    headings = re.findall(r"^## (.+)$", chapter.read_text(), re.MULTILINE)
    assert [h for h in headings if h in SECTIONS] == list(SECTIONS)


def test_the_index_lists_all_seventeen() -> None:
    lines = (GUIDE / "README.md").read_text().splitlines()
    rows = [f"| {s.number} | [{s.title}]({s.number}-{s.name}.md) | {s.about} |" for s in TABLE]
    assert [line for line in lines if line.startswith("|") and line[2:4].isdigit()] == rows


def test_an_output_that_changed_is_noticed() -> None:
    printed = ["one", "two 2", "three"]
    assert transcript.fits(["one", "two …", "three"], printed)
    assert transcript.fits(["…", "three"], printed)
    assert not transcript.fits(["one", "three"], printed)
    assert not transcript.fits(["one", "two …"], printed)
    assert not transcript.fits(["one", "two …", "three", "four"], printed)


COLUMNS = ["NAME       READY   AGE", "master-0   True    118s", "  note: all of them"]


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ("master-0 True 118s", True),
        ("master-0     True   118s", True),
        ("master-0   True    …", True),
        ("master-0   …    118s", True),
        ("master-0   True   …   118s", True),
        ("master-0   True    99s", False),
        ("master-0   False   118s", False),
        ("master-0   True118s", False),
        ("master-0   True", False),
        ("  master-0   True    118s", False),
    ],
)
def test_a_column_may_be_wider_and_a_word_may_not_be_another(line: str, fits: bool) -> None:
    heading, _, note = COLUMNS
    assert transcript.fits([heading, line, note], COLUMNS) == fits


def test_a_line_stays_indented_by_however_much() -> None:
    assert transcript.fits([" note: all"], ["      note: all"])
    assert not transcript.fits([" note: all"], ["note: all"])
