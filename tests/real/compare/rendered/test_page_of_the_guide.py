"""docs/comparison.md is what the table says now, and what it says of arguments is true of the real output."""

from __future__ import annotations

from pathlib import Path

from hardway.compare.rendered import flags, pods, reading
from hardway.compare.rendered.expected.table import EXPECTED
from hardway.compare.rendered.markdown import comparison, shared
from hardway.explain.pages import default_cluster
from tests.support.rendering.real import rendered

PAGE = Path(__file__).parents[4] / "docs" / "comparison.md"
AGAIN = "run `python -m hardway.compare.rendered.markdown docs/comparison.md`"
BY_GATE = {"--runtime-config"}  # only where a gate that is on has an API


def test_the_committed_page_is_current():
    assert PAGE.read_text() == comparison(default_cluster()), AGAIN


def test_every_row_is_on_the_page():
    text = PAGE.read_text()
    assert [row.name for row in EXPECTED if f"| `{row.name}` |" not in text] == []


def test_tables_are_whole():
    """Every line of a table has as many cells as its head."""
    width = 0
    for line in PAGE.read_text().splitlines():
        cells = line.replace("\\|", "").count("|")
        width = (width or cells) if cells else 0
        assert cells == width, line


def test_the_arguments_it_lists_are_those_of_both():
    folder = reading.read(rendered())
    side = folder.rendered["kube-apiserver"]
    theirs = pods.containers(side.pod)["kube-apiserver"].flags | flags.from_file(side.config)
    ours = pods.containers(folder.pods["kube-apiserver"])["kube-apiserver"].flags
    assert set(shared()) - BY_GATE == set(theirs) & set(ours)
