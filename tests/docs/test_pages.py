"""README, decisions and reference agree with the program and with each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hardway
from hardway.cli.main import COMMANDS
from hardway.explain.pages import EXIT_CODES
from hardway.model.errors import CheckError, ConfigError, HardwayError, ToolError

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_readme_lists_every_command():
    listed = re.findall(r"^\| `hardway ([a-z-]+)", README, re.MULTILINE)
    assert listed == list(COMMANDS)


def test_exit_codes_are_those_of_the_errors():
    codes = dict(EXIT_CODES)
    assert {error.exit_code for error in (HardwayError, ConfigError, ToolError, CheckError)} <= set(codes)
    listed = re.findall(r"^\| (\d+) \| ", README, re.MULTILINE)
    assert {int(code) for code in listed if len(code) == 1} == set(codes) - {130}


def test_decisions_are_numbered_and_listed():
    folder = ROOT / "docs" / "decisions"
    pages = sorted(folder.glob("[0-9]*.md"))
    assert [p.name[:3] for p in pages] == [f"{n:03}" for n in range(1, len(pages) + 1)]
    index = (folder / "README.md").read_text()
    for page in pages:
        title = page.read_text().splitlines()[0].removeprefix(f"# {page.name[:3]}. ")
        assert f"[{page.name[:3]}]({page.name}) | {title} |" in index
        assert re.findall(r"^## (.+)$", page.read_text(), re.MULTILINE) == ["Context", "Choice", "Why"]


def test_the_changelog_knows_this_version():
    assert hardway.__version__ in (ROOT / "CHANGELOG.md").read_text()
