"""The record of milestones that were reached: in order, whole, and of use only where it can be read."""

from __future__ import annotations

import json

import pytest

from hardway.drive.milestones.table import TABLE
from hardway.lab import record
from hardway.lab.paths import lab_paths

NAMES = [row.name for row in TABLE]


@pytest.fixture
def lab(tmp_path):
    return lab_paths("demo", tmp_path)


def test_what_was_reached_once_stays(lab):
    assert record.reached(lab) == frozenset()
    record.add(lab, NAMES[:2])
    record.add(lab, NAMES[1:4])
    record.add(lab, ())
    assert record.reached(lab) == frozenset(NAMES[:4])
    assert json.loads((lab.folder / record.FILE).read_text()) == NAMES[:4]


def test_nothing_is_written_that_is_known_already(lab):
    record.add(lab, NAMES[:2])
    before = (lab.folder / record.FILE).stat().st_ino
    record.add(lab, NAMES[:1])
    assert (lab.folder / record.FILE).stat().st_ino == before


@pytest.mark.parametrize("text", ["", "{", "{}", "7", "null", '["no such milestone", 3]'])
def test_a_record_that_says_nothing_is_none(lab, text):
    (lab.folder / record.FILE).write_text(text)
    assert record.reached(lab) == frozenset()
