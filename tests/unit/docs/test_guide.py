"""The guide reads in one line: one folder for the files, one for the lab, and chapter 04 for those who want it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.cli.test_named_commands import error

GUIDE = Path(__file__).parents[3] / "docs" / "guide"
CHAPTERS = sorted(GUIDE.glob("[0-9][0-9]-*.md"))
PAGES = sorted(GUIDE.glob("*.md"))
OPTIONAL = GUIDE / "04-release-image.md"


def typed(page: Path) -> list[str]:
    return [line[2:] for line in page.read_text().splitlines() if line.startswith("$ ")]


def test_chapters_up_to_09_use_one_folder():
    made = [line for page in CHAPTERS if page.name < "10" for line in typed(page) if line.startswith("hardway init ")]
    assert [line.split()[2] for line in made] == ["demo"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_init_takes_options_where_a_file_would_be_edited(page: Path):
    assert [line for line in typed(page) if re.search(r"sed -i.*install-config\.yaml", line)] == []


def test_the_chapter_that_compiles_says_that_it_is_optional_and_what_is_missing_without_it():
    head = OPTIONAL.read_text().partition("## What you will have")[0]
    assert "**This chapter is optional.**" in head
    assert "no CRDs" in head
    assert "no Ignition files for masters and workers" in " ".join(head.split())
    assert "[04](04-release-image.md) is optional" in (GUIDE / "README.md").read_text()


def test_what_is_tested_of_real_machines_is_said_before_they_are_installed():
    readme = (GUIDE.parents[1] / "README.md").read_text()
    assert "tested with the lab's nodes and release, with one master" in readme
    assert "No test here has installed a vendor's release" in readme
    assert "On real machines `hardway up` continues over ssh" in (GUIDE / "09-rhcos.md").read_text()
    assert "The release is a stand-in" in (GUIDE / "10-bootstrap.md").read_text()


COLUMNS = "| in the lab | on machines of your own |\n|---|---|\n"
ON_MACHINES = [page for page in CHAPTERS if page.name >= "09"]


def columns(page: Path) -> list[list[list[str]]]:
    """Of each row, the commands on the left and on the right."""
    rows = page.read_text().partition(COLUMNS)[2].partition("\n\n")[0].splitlines()
    return [[re.findall(r"`(hardway [^`]+)`", cell) for cell in row.strip("|").split(" | ")] for row in rows]


@pytest.mark.parametrize("page", ON_MACHINES, ids=lambda p: p.stem)
def test_chapters_of_running_clusters_have_both_columns(page: Path):
    rows = columns(page)
    assert any(right for _, right in rows)
    left, right = ([command for row in rows for command in row[side]] for side in (0, 1))
    assert all(command.startswith("hardway lab ") for command in left)
    assert not any(command.startswith("hardway lab ") for command in right)
    assert [(command, why) for command in (*left, *right) if (why := error(command))] == []


@pytest.mark.parametrize("page", ON_MACHINES, ids=lambda p: p.stem)
def test_every_verb_of_the_lab_that_a_chapter_types_has_its_other_column(page: Path):
    verbs = {verb for line in typed(page) for verb in re.findall(r"hardway lab ([a-z]+)", line)}
    told = {command.split()[2] for left, right in columns(page) if right for command in left}
    assert verbs - told == set()
