"""README, decisions and reference agree with the program and with each other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import hardway
from hardway.cli.main import SECTIONS
from hardway.lines.default import DEFAULT
from hardway.model.errors import EXIT_CODES, CheckError, ConfigError, HardwayError, ToolError

ROOT = Path(__file__).parents[3]
CODE, DECISIONS = ROOT / "src" / "hardway", ROOT / "docs" / "decisions"
README = (ROOT / "README.md").read_text()
FRONT = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
PAGES = [*FRONT, *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_readme_lists_every_command():
    listed = re.findall(r"^\| `hardway ([a-z-]+)", README, re.MULTILINE)
    assert sorted(listed) == sorted(name for rows in SECTIONS.values() for name in rows)


@pytest.mark.parametrize("page", ["README.md", "docs/guide/README.md"])
def test_whoever_begins_begins_with_chapter_01(page: str):
    [named] = set(re.findall(r"[Bb]egin with\s+\[[^]]+\]\(([^)]+)\)", (ROOT / page).read_text()))
    assert Path(named).name == "01-prerequisites.md"


def test_readme_says_which_releases_work():
    assert f"| releases {DEFAULT.minor}.z | yes |" in README
    following = f"{DEFAULT.minor.partition('.')[0]}.{int(DEFAULT.minor.partition('.')[2]) + 1}"
    assert f"| releases {following} and other minor versions | refused |" in README


def test_a_short_word_is_long_at_its_first_use_in_the_readme():
    for short, long in (("MCO", "machine-config operator (MCO)"), ("CVO", "cluster-version operator (CVO)")):
        assert re.search(rf"\b{short}\b", README).start() == README.index(long) + long.index(short)
    assert README.index("types (CRDs)") < README.index("the bootstrap's CRDs")
    assert "pivot (the bootstrap node leaves)" in README


def test_exit_codes_are_those_of_the_errors():
    assert {error.exit_code for error in (HardwayError, ConfigError, ToolError, CheckError)} <= set(EXIT_CODES)
    listed = re.findall(r"^\| (\d+) \| ", README, re.MULTILINE)
    assert {int(code) for code in listed} >= set(EXIT_CODES)


def test_decisions_are_numbered_and_listed_with_their_status():
    pages = sorted(DECISIONS.glob("[0-9]*.md"))
    assert [p.name[:3] for p in pages] == [f"{n:03}" for n in range(1, len(pages) + 1)]
    index = (DECISIONS / "README.md").read_text()
    for page in pages:
        heading, _, status, *_ = page.read_text().splitlines()
        title = heading.removeprefix(f"# {page.name[:3]}. ")
        assert f"| [{page.name[:3]}]({page.name}) | {title} | {status.removeprefix('Status: ')} |\n" in index
        assert re.findall(r"^## (.+)$", page.read_text(), re.MULTILINE) == ["Context", "Choice", "Why"]


@pytest.mark.parametrize("page", sorted(DECISIONS.glob("[0-9]*.md")), ids=lambda p: p.name[:3])
def test_a_decision_is_accepted_or_names_a_later_one_that_is(page: Path):
    status = page.read_text().splitlines()[2]
    if status != "Status: accepted":
        found = re.fullmatch(r"Status: superseded by \[(\d{3})\]\((\1-[a-z0-9-]+\.md)\)", status)
        assert found is not None, status
        assert found[1] > page.name[:3]
        assert (DECISIONS / found[2]).read_text().splitlines()[2] == "Status: accepted"


@pytest.mark.parametrize("page", sorted(DECISIONS.glob("[0-9]*.md")), ids=lambda p: p.name[:3])
def test_the_code_that_a_decision_names_is_there(page: Path):
    packages = "|".join(p.name for p in CODE.iterdir() if p.is_dir())
    named = re.findall(rf"`((?:{packages})/[a-z0-9_/.]*)`", page.read_text())
    assert [path for path in named if not (CODE / path).exists()] == []


def test_the_packages_that_are_needed_are_those_that_have_a_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [re.split(r"[<>=~ ]", line)[0] for line in project["dependencies"]]
    [page] = DECISIONS.glob("*-by-hand-or-by-library.md")
    assert re.findall(r"^\| `([A-Za-z0-9_-]+)` \|", page.read_text(), re.MULTILINE) == needed


def test_the_changelog_begins_with_this_version_and_its_date():
    first, *_ = re.findall(r"^## \[(.+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert first == hardway.__version__


def test_the_files_that_contributing_names_are_there():
    """Apart from those with a word in capitals, which stands for several."""
    named = re.findall(r"`((?:src|tests|docs)/[A-Za-z0-9_/.]*)`", (ROOT / "CONTRIBUTING.md").read_text())
    assert len(named) > 20
    assert [path for path in named if not re.search("[A-Z]", path) and not (ROOT / path).exists()] == []
