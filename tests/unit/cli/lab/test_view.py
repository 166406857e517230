"""What a running lab shows, without a lab: the block on a terminal, lines elsewhere."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

from hardway.cli.lab.view import Board, Lines
from hardway.drive.events import Event

WAITING = Event(kind="waiting", seconds=4, stage="10", milestone="bootstrap-api", text="the API server to be ready")
REACHED = Event(kind="reached", seconds=3.6, stage="10", milestone="bootstrap-etcd", text="It answers.")
ACTED = Event(kind="acted", seconds=5, node="master-0", text="its time has come")
DRAW = """
from hardway.cli.lab.view import watched
from hardway.drive.events import Event
with watched(10, "text") as view:
    view.prepare("compiling etcd", 1, 2)
    view.states({"bootstrap": "on"})
    view.event(Event(kind="reached", seconds=3.6, stage="10", milestone="bootstrap-etcd", text="It answers."))
"""


def board():
    found = Board(until=11)
    found.see({"bootstrap": "on", "master-0": "off"}, 10)
    found.hear(REACHED, 13)
    found.hear(WAITING, 14)
    return found


def test_a_row_a_node_and_a_row_a_milestone():
    assert board().lines(90, 100, 40) == [
        "  bootstrap      on         1 min 20 s",
        "  master-0       off        1 min 20 s",
        "✓ 10 bootstrap-etcd       4 s",
        "… 10 bootstrap-api        1 min 16 s  the API server to be ready",
        "  10 manifests",
        "  10 version-syncs",
        "  11 masters-ready",
    ]


def test_nothing_is_shown_before_anything_has_happened():
    assert Board(until=16).lines(10, 100, 40) == []


def test_a_node_that_changes_begins_to_count_anew():
    found = board()
    found.see({"bootstrap": "on", "master-0": "Ready"}, 40)
    assert [line.split() for line in found.lines(50, 100, 2)] == [
        ["bootstrap", "on", "40", "s"],
        ["master-0", "Ready", "10", "s"],
    ]


def test_a_wait_for_something_else_of_the_same_milestone_is_the_same_wait():
    found = board()
    found.hear(Event(kind="waiting", seconds=9, stage="10", milestone="bootstrap-api", text="the load balancer"), 60)
    assert "… 10 bootstrap-api        46 s  the load balancer" in found.lines(60, 100, 40)


def test_the_last_events_are_in_sight():
    found = board()
    for number in range(9):
        found.hear(Event(kind="trouble", seconds=number, text=f"number {number}\nmore"), 20)
    assert [line.split()[-2:] for line in found.lines(20, 100, 40)[-4:]] == [[str(n), "more"] for n in range(5, 9)]


def test_on_a_small_terminal_reached_milestones_are_one_row():
    lines = board().lines(90, 30, 6)
    assert lines[2] == "✓ 1 of 5 milestones"
    assert len(lines) == 6
    assert max(map(len, lines)) <= 30


def test_lines_and_objects(capsys):
    Lines(as_json=False, progress=print).event(REACHED)
    assert capsys.readouterr().out == "     4s  reached   10 bootstrap-etcd: It answers.\n"
    view = Lines(as_json=True, progress=print)
    for number in range(3):
        view.prepare("pushing etcd: layer", number, 3)
    view.event(ACTED)
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"kind": "preparing", "text": "pushing etcd"},
        {"kind": "acted", "seconds": 5, "node": "master-0", "text": "its time has come"},
    ]


def test_a_terminal_gets_one_block_over_the_other():
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "PYTHONUTF8": "1"}
    subprocess.run([sys.executable, "-c", DRAW], stdout=theirs, env=environment, check=True)
    os.close(theirs)
    printed = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "\033[J" in printed
    assert "✓ 10 bootstrap-etcd" in printed
    assert "compiling" not in printed.rpartition("\033[J")[2]
