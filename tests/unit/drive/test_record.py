"""The record of milestones that were reached: in order, whole, and of use only where it can be read."""

from __future__ import annotations

import json

import pytest

from hardway.drive import record
from hardway.drive.events import Event
from hardway.drive.milestones.table import TABLE

NAMES = [row.name for row in TABLE]


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def test_what_was_reached_once_stays(folder):
    assert record.reached(folder) == frozenset()
    record.add(folder, NAMES[:2])
    record.add(folder, NAMES[1:4])
    record.add(folder, ())
    assert record.reached(folder) == frozenset(NAMES[:4])
    assert json.loads((folder / record.FILE).read_text()) == NAMES[:4]


def test_nothing_is_written_that_is_known_already(folder):
    record.add(folder, NAMES[:2])
    before = (folder / record.FILE).stat().st_ino
    record.add(folder, NAMES[:1])
    assert (folder / record.FILE).stat().st_ino == before


@pytest.mark.parametrize("text", ["", "{", "{}", "7", "null", '["no such milestone", 3]'])
def test_a_record_that_says_nothing_is_none(folder, text):
    (folder / record.FILE).write_text(text)
    assert record.reached(folder) == frozenset()


def test_events_are_kept_in_order_and_told_on(folder):
    assert record.events(folder) == ()
    told = [
        Event(kind="waiting", seconds=1.5, text="something", stage="10", milestone="manifests"),
        Event(kind="stalled", seconds=2, text="something", failures=("F01", "F02")),
    ]
    heard = []
    for event in told:
        record.keeping(folder, heard.append)(event)
    assert heard == told
    assert record.events(folder) == tuple(told)


def test_a_line_that_is_no_event_says_nothing(folder):
    event = Event(kind="finished", seconds=1, text="all")
    (folder / record.EVENTS).write_text('{"kind"\n7\n{"kind": "finished"}\n{"other": 1}\n')
    record.keeping(folder, lambda told: None)(event)
    assert record.events(folder) == (event,)
