"""The committed reference is what the tables say now."""

from __future__ import annotations

import json
import re
from ipaddress import IPv4Interface
from pathlib import Path, PurePosixPath

import pytest
import yaml

from hardway.checks.all import checks
from hardway.checks.failures import TABLE as FAILURES
from hardway.explain import glossary, pages
from hardway.explain.markdown import write
from hardway.pipeline.status import status
from hardway.pki.families import TABLE as CERTS
from tests.support.trees import built

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
AGAIN = "run `python -m hardway.explain.markdown docs/reference`"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("reference")
    write(folder)
    return folder


def test_the_committed_pages_are_current(fresh: Path):
    made = {p.name: p.read_text() for p in fresh.iterdir()}
    committed = {p.name: p.read_text() for p in REFERENCE.iterdir()}
    assert sorted(committed) == sorted(made), AGAIN
    assert [name for name in made if made[name] != committed[name]] == [], AGAIN


def test_the_committed_glossary_is_current():
    assert (REFERENCE.parent / "glossary.md").read_text() == glossary.page(), "run `make reference`"


def test_every_row_is_on_its_page(fresh: Path):
    text = {name: (fresh / f"{name}.md").read_text() for name in ("certificates", "checks", "failures")}
    assert [c.name for c in CERTS if f"`{c.name}" not in text["certificates"]] == []
    assert [c.name for c in checks() if f"`{c.name}`" not in text["checks"]] == []
    assert [f.id for f in FAILURES if f"| {f.id} |" not in text["failures"]] == []


def test_tables_are_whole(fresh: Path):
    """Every line of a table has as many cells as its head."""
    for page in fresh.iterdir():
        width = 0
        for line in page.read_text().splitlines():
            cells = line.replace("\\|", "").count("|") if line.startswith("|") else 0
            assert not cells or not width or cells == width, f"{page.name}: {line}"
            width = cells


PYTHON = r"\w+\('|<(function|class)|\blambda\b|frozenset|`(None|True|False)`|object at 0x|\{'"
PLACEHOLDER = r"\{[\w-]+\}|\bTODO\b|\bFIXME\b|\bXXX\b"


@pytest.mark.parametrize("pattern", [PYTHON, PLACEHOLDER], ids=["python", "placeholder"])
def test_no_page_prints_what_only_the_program_understands(fresh: Path, pattern: str):
    found = [
        f"{page.name}: {line}"
        for page in sorted(fresh.iterdir())
        for line in page.read_text().splitlines()
        if re.search(pattern, line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "value",
    [
        [IPv4Interface("10.0.0.0/16")],
        [{"cidr": IPv4Interface("10.0.0.0/16"), "hostPrefix": 23}],
        PurePosixPath("/var/lib"),
        True,
        {},
        ("one", "two"),
    ],
    ids=str,
)
def test_a_default_is_written_as_in_the_file(value):
    written = pages.as_yaml(value)
    assert not re.search(f"{PYTHON}|Interface|Path", written)
    assert yaml.safe_load(written) == yaml.safe_load(json.dumps(value, default=str))


def test_the_page_of_stages_names_the_command_that_status_names(fresh: Path):
    """The same rows: `hardway status` points to this command where a stage leaves no files."""
    section = (fresh / "stages.md").read_text().partition("## Results and commands")[2]
    rows = {line[2:4]: re.findall(r"`([^`]*)`", line) for line in section.splitlines() if re.match(r"\| \d\d \|", line)}
    said = {row.stage.number: row for row in status(built())}
    assert sorted(rows) == sorted(said)
    for number, commands in rows.items():
        if said[number].state in ("not recorded", "not run"):
            assert said[number].reasons[0] in commands
        else:
            assert f"hardway build {number}" in commands


def test_a_page_that_is_no_longer_made_goes(tmp_path: Path):
    (tmp_path / "old.md").write_text("old")
    write(tmp_path)
    assert not (tmp_path / "old.md").exists()
