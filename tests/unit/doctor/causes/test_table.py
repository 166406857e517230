"""The table of causes: every end exists, nothing causes itself, every failure mode has its place."""

from __future__ import annotations

import pytest

from hardway.checks.all import SYMPTOMS, checks, tables
from hardway.checks.failures import BY_ID
from hardway.doctor.causes.modes import ALONE
from hardway.doctor.causes.table import TABLE, effects, way

NAMES = {check.name for check in checks()}
UNNAMED = {check.name for kind in SYMPTOMS for check in tables()[kind] if not check.failure}
"""Symptoms that are no failure mode's own: a mode may explain one."""


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.cause}-{row.effect}")
def test_a_row_joins_two_that_exist_and_has_its_reason(row):
    ends = {row.cause, row.effect}
    assert ends <= set(BY_ID) or ends <= NAMES or (row.cause in BY_ID and row.effect in UNNAMED)
    assert len(ends) == 2
    assert len(row.why.what) > 15
    assert row.why.source


def test_no_pair_is_named_twice():
    pairs = [(row.cause, row.effect) for row in TABLE]
    assert sorted(set(pairs)) == sorted(pairs)


def test_every_failure_mode_is_placed():
    placed = {end for row in TABLE for end in (row.cause, row.effect)} & set(BY_ID)
    assert placed.isdisjoint(ALONE)
    assert placed | set(ALONE) == set(BY_ID)
    assert all(why.what for why in ALONE.values())


def test_nothing_is_its_own_cause():
    """Symptoms of one failure mode are one case, so their checks and the mode are one thing here."""
    one = {c.name: c.failure for kind in SYMPTOMS for c in tables()[kind] if c.failure}
    below: dict[str, set[str]] = {}
    for row in TABLE:
        below.setdefault(one.get(row.cause, row.cause), set()).add(one.get(row.effect, row.effect))
    done: set[str] = set()

    def walk(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " → ".join((*above, name))
        if name not in done:
            for effect in below.get(name, ()):
                walk(effect, (*above, name))
            done.add(name)

    for name in below:
        walk(name, ())
    assert len(done) > 100


def test_the_way_is_the_shortest_and_has_the_rows_in_order():
    steps = way("F17", {"F56"})
    assert steps is not None
    assert [(row.cause, row.effect) for row in steps] in (
        [("F17", "F16"), ("F16", "F56")],
        [("F17", "F24"), ("F24", "F56")],
    )
    assert way("F17", {"F17", "F56"}) == ()
    assert way("F56", {"F17"}) is None
    assert {row.cause for row in effects()["F17"]} == {"F17"}
