"""The rows of the stages against what there really is: assets, checks, milestones, commands."""

from __future__ import annotations

import shlex

import click
import pytest

from hardway.checks.all import tables
from hardway.cli.main import cli
from hardway.drive.milestones.table import TABLE as MILESTONES
from hardway.model.stages import NAMES, number
from hardway.stages.table import BUILT, BY_NUMBER, TABLE, after, find
from tests.support.trees import built


def test_every_stage_has_its_row_in_order():
    assert [stage.number for stage in TABLE] == list(NAMES)
    assert [after(stage) for stage in TABLE] == [*TABLE[1:], None]


def test_a_stage_is_found_by_its_number_its_name_or_both():
    assert {find(text) for text in ("5", "05", "pki", "05-pki", "stage/05-pki", "PKI")} == {BY_NUMBER["05"]}
    assert number("pki") == 5


def test_the_rows_make_what_is_in_the_graph():
    graph = built().graph
    kinds = {stage.number: {a.partition("/")[0] for a in graph if graph[a].stage == stage.number} for stage in TABLE}
    assert kinds == {stage.number: set(stage.makes) for stage in TABLE}
    assert {stage.number for stage in TABLE if stage.makes or stage.brings} == {stage.number for stage in BUILT}


OF_NO_STAGE = {
    "log": "of whatever wrote it",
    "assets": "of another installer",
    "record": "of all that are built",
    "cluster": "of a cluster at any stage",
    "nodes": "of machines at any stage",
}


def test_every_check_looks_at_one_stage():
    looked = [check.name for stage in TABLE for check in stage.checks()]
    assert sorted(looked) == sorted(c.name for kind, rows in tables().items() if kind not in OF_NO_STAGE for c in rows)
    assert [check.name for check in BY_NUMBER["01"].checks("lab")] != [check.name for check in BY_NUMBER["01"].checks()]


def test_every_milestone_is_reached_by_one_stage():
    assert [row for stage in TABLE for row in stage.reaches] == list(MILESTONES)
    assert {stage.number for stage in TABLE if stage.reaches} == {s.number for s in TABLE if s.work == "drive"}


@pytest.mark.parametrize("command", sorted({c for s in TABLE for c in (s.machines, s.status, s.run, s.lab) if c}))
def test_every_command_is_one_that_there_is(command):
    program, *words = shlex.split(command)
    group: click.Command = cli
    while isinstance(group, click.Group):
        found = group.get_command(click.Context(group), words.pop(0))
        assert found is not None
        group = found
    with group.make_context(command, words):
        assert program == "hardway"
