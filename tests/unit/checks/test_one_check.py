"""One type of check for everything that is looked at: files, machines, networks and the running cluster."""

from __future__ import annotations

import pytest

from hardway.checks import failures
from hardway.checks.all import checks, tables
from hardway.model.check import Check


@pytest.mark.parametrize("kind", tables())
def test_every_row_of_a_table_is_a_check(kind):
    rows = tables()[kind]
    assert rows
    for row in rows:
        assert type(row) is Check, row
        assert all((row.why.what, row.why.readers, row.why.breaks, row.why.source)), row.name
        assert row.failure in ("", *failures.BY_ID), row.name
        assert row.stage.isdecimal(), row.name
        assert row.address == f"check/{row.name}"


def test_names_are_unique_over_all_tables():
    names = [row.name for row in checks()]
    assert sorted(set(names)) == sorted(names)
