"""The board of a lab, drawn without a terminal: nodes, stages, waits and availability."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from hardway.cli.terminal.board import Board
from hardway.drive.events import Event

WAITING = Event(kind="waiting", seconds=4, stage="10", milestone="bootstrap-api", text="the API server to be ready")
REACHED = Event(kind="reached", seconds=3.6, stage="10", milestone="bootstrap-etcd", text="It answers.")


def board(until=11):
    found = Board(until=until)
    found.see({"bootstrap": "on", "master-0": "off"}, 10)
    found.hear(REACHED, 13)
    found.hear(WAITING, 14)
    return found


def drawn(found, now, width=100, height=40):
    text = StringIO()
    console = Console(file=text, width=width, height=height, force_terminal=False)
    console.print(found.draw(now, height))
    return [line.split() for line in text.getvalue().splitlines() if line.strip()]


def words(text):
    return text.split()


def test_a_row_a_node_and_a_row_a_stage():
    assert drawn(board(), 90) == [
        ["node", "state", "since"],
        ["bootstrap", "on", "1", "min", "20", "s"],
        ["master-0", "off", "1", "min", "20", "s"],
        ["stage", "milestones", "time"],
        words("… 10 Bootstrap 1 of 4 for 1 min 16 s"),
        ["11", "Masters", "0", "of", "1"],
        words("waits for bootstrap-api: the API server to be ready"),
    ]


def test_what_a_person_is_asked_for_stays_in_sight_until_it_is_done():
    found = board(until=13)
    found.hear(Event(kind="asked", seconds=5, node="master-0", asks="on", text="switch master-0 on"), 15)
    found.hear(Event(kind="asked", seconds=5, node="bootstrap", asks="out", text="take bootstrap out"), 15)
    found.hear(Event(kind="reached", seconds=6, stage="12", milestone="apis", text=""), 16)
    assert words("please switch master-0 on") in drawn(found, 20)
    found.see({"bootstrap": "off", "master-0": "on"}, 21)
    assert words("please switch master-0 on") not in drawn(found, 22)
    assert words("please take bootstrap out") in drawn(found, 22)
    found.hear(Event(kind="reached", seconds=9, stage="13", milestone="balancer", text=""), 23)
    assert words("please take bootstrap out") not in drawn(found, 24)


def test_nothing_is_drawn_before_anything_has_happened():
    assert drawn(Board(until=16), 10) == []


def test_a_node_that_changes_begins_to_count_anew():
    found = board()
    found.see({"bootstrap": "on", "master-0": "Ready"}, 40)
    assert drawn(found, 50)[1:3] == [["bootstrap", "on", "40", "s"], ["✓", "master-0", "Ready", "10", "s"]]


def test_a_wait_for_something_else_of_the_same_milestone_is_the_same_wait():
    found = board()
    found.hear(Event(kind="waiting", seconds=9, stage="10", milestone="bootstrap-api", text="the load balancer"), 60)
    assert words("… 10 Bootstrap 1 of 4 for 46 s") in drawn(found, 60)
    assert words("waits for bootstrap-api: the load balancer") in drawn(found, 60)


def test_a_stage_is_over_when_its_last_milestone_is_reached():
    found = board()
    for name, seconds in (("bootstrap-api", 20), ("manifests", 31), ("version-syncs", 38)):
        found.hear(Event(kind="reached", seconds=seconds, stage="10", milestone=name, text="x"), seconds)
    assert words("✓ 10 Bootstrap 4 of 4 after 38 s") in drawn(found, 90)


def test_the_availability_is_what_the_probing_client_has_counted():
    found = board()
    found.available = lambda: "99.90 % of 1000 requests answered, 1 failed"
    assert ["available", *found.available().split()] in drawn(found, 90)


def test_the_last_verification_is_a_stage_without_milestones():
    found = board(until=17)
    found.hear(Event(kind="acted", seconds=0, stage="17", text="the final verification starts"), 90)
    assert words("… 17 Final verification the final verification starts") in drawn(found, 90)
    found.hear(Event(kind="finished", seconds=9, stage="17", text="12 checks ran"), 99)
    assert words("✓ 17 Final verification 12 checks ran") in drawn(found, 99)
    found.hear(Event(kind="trouble", seconds=9, stage="17", text="12 checks ran, 1 finding"), 99)
    assert words("✗ 17 Final verification 12 checks ran, 1 finding") in drawn(found, 99)


def test_the_last_events_are_in_sight():
    found = board()
    for number in range(9):
        found.hear(Event(kind="trouble", seconds=number, text=f"number {number}\nmore"), 20)
    assert [line[-2:] for line in drawn(found, 20)[-4:]] == [[str(n), "more"] for n in range(5, 9)]


@pytest.mark.parametrize("width", [60, 80, 160])
def test_no_row_is_wider_than_the_terminal(width):
    found = board(until=17)
    found.hear(Event(kind="waiting", seconds=9, stage="10", milestone="bootstrap-api", text="long words " * 40), 60)
    found.hear(Event(kind="trouble", seconds=9, text="long words " * 40), 60)
    text = StringIO()
    console = Console(file=text, width=width, height=60)
    console.print(found.draw(90, 60))
    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()).count("long words") > 40  # what is waited for is shown whole


def test_on_a_low_terminal_stages_that_are_over_are_one_row():
    found = board(until=17)
    for name in ("bootstrap-api", "manifests", "version-syncs", "masters-ready"):
        found.hear(Event(kind="reached", seconds=20, stage="", milestone=name, text="x"), 20)
    lines = drawn(found, 90, height=15)
    assert words("✓ 10 to 11 after 20 s") in lines
    assert len(lines) <= 14
