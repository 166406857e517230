"""The guide reads in one line: one folder for the files, one for the lab, and chapter 04 for those who want it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
