"""Which conformance tests are run, and which are not and why."""

from __future__ import annotations

import re

import pytest

from hardway.lab.conformance import specs
from hardway.lab.conformance.skipped import TABLE
from hardway.model.errors import ConfigError


def test_every_name_is_one_of_a_conformance_test_and_is_there_once():
    names = specs.names()
    assert len(set(names)) == len(names) == 404
    assert [name for name in names if "[Conformance]" not in name or specs.family(name) == "other"] == []


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.pattern)
def test_every_row_of_the_table_leaves_out_some_test_and_says_why(row):
    assert [name for name in specs.names() if re.search(row.pattern, name)]
    assert re.fullmatch(r"[A-Z].{20,}\.", row.reason)


def test_no_test_is_left_out_by_two_rows():
    doubled = [name for name in specs.names() if sum(bool(re.search(row.pattern, name)) for row in TABLE) > 1]
    assert doubled == []


def test_without_a_pattern_each_test_is_run_or_left_out():
    chosen = specs.choose()
    assert sorted([*chosen.run, *chosen.skipped]) == sorted(specs.names())
    assert len(chosen.run) > 300


def test_a_pattern_chooses_by_name():
    chosen = specs.choose("sig-api-machinery")
    assert {specs.family(name) for name in chosen.run} == {"sig-api-machinery"}


@pytest.mark.parametrize(
    ("focus", "said"),
    [
        ("no such test", "--focus no such test: no conformance test has a name that matches."),
        ("[sig-apps", "--focus [sig-apps: is not a regular expression: "),
    ],
)
def test_a_pattern_that_chooses_nothing_is_refused_with_its_fix(focus, said):
    with pytest.raises(ConfigError) as error:
        specs.choose(focus)
    assert str(error.value).startswith(said)
    assert "    fix: " in str(error.value)
