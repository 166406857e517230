"""The failure table is complete, and whatever names a failure names one that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardway.checks import failures
from hardway.checks.files.table import TABLE as CHECKS

ROOT = Path(__file__).parents[3]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FAILURE = re.compile(r"\bF\d\d\b")
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def test_ids_are_complete_and_unique():
    assert [f.id for f in failures.TABLE] == [f"F{number:02}" for number in range(1, 57)]


@pytest.mark.parametrize("failure", failures.TABLE, ids=lambda f: f.id)
def test_every_row_says_all_there_is_to_say(failure):
    assert all((failure.symptom, failure.cause, failure.detect, failure.why.readers, failure.why.source))
    assert (failure.why.what, failure.why.breaks) == (failure.cause, failure.symptom)
    assert failure.address == f"failure/{failure.id}"
    assert re.match(r"(files|host|running): ", failure.detect)


def test_texts_differ():
    assert len({f.symptom for f in failures.TABLE}) == len({f.cause for f in failures.TABLE}) == len(failures.TABLE)


def test_checks_name_failures_that_exist():
    named = {check.failure for check in CHECKS} - {""}
    assert named <= set(failures.BY_ID)
    assert len(named) > 15


def test_every_failure_that_is_named_exists():
    named = [(str(path.relative_to(ROOT)), set(FAILURE.findall(path.read_text()))) for path in (*SOURCES, *PAGES)]
    assert [(path, unknown) for path, ids in named if (unknown := ids - set(failures.BY_ID))] == []
