"""The committed reference is what the tables say now."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardway.checks.failures import TABLE as FAILURES
from hardway.checks.files.table import TABLE as CHECKS
from hardway.explain import glossary
from hardway.explain.markdown import write
from hardway.pki.certs import TABLE as CERTS

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
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
    assert [c.name for c in CHECKS if f"`{c.name}`" not in text["checks"]] == []
    assert [f.id for f in FAILURES if f"| {f.id} |" not in text["failures"]] == []


def test_tables_are_whole(fresh: Path):
    """Every line of a table has as many cells as its head."""
    for page in fresh.iterdir():
        width = 0
        for line in page.read_text().splitlines():
            cells = line.replace("\\|", "").count("|") if line.startswith("|") else 0
            assert not cells or not width or cells == width, f"{page.name}: {line}"
            width = cells


def test_a_page_that_is_no_longer_made_goes(tmp_path: Path):
    (tmp_path / "old.md").write_text("old")
    write(tmp_path)
    assert not (tmp_path / "old.md").exists()
