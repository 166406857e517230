"""What a running lab shows where there is no terminal."""

from __future__ import annotations

import json

from hardway.cli.lab.view import Lines
from hardway.cli.terminal.settings import chosen
from hardway.cli.terminal.work import Silent
from hardway.drive.events import Event

REACHED = Event(kind="reached", seconds=3.6, stage="10", milestone="bootstrap-etcd", text="It answers.")
ACTED = Event(kind="acted", seconds=5, node="master-0", text="its stage has come")


def test_a_line_an_event(capsys):
    Lines(as_json=False, work=Silent()).event(REACHED)
    assert capsys.readouterr().out == "     4s  reached   10 bootstrap-etcd: It answers.\n"


def test_an_object_an_event(capsys):
    view = Lines(as_json=True, work=Silent())
    for number in range(3):
        view.prepare("pushing etcd: layer", number, 3)
    view.event(ACTED)
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"kind": "preparing", "text": "pushing etcd"},
        {"kind": "acted", "seconds": 5, "node": "master-0", "text": "its stage has come"},
    ]


def test_quiet_tells_no_event_to_people_and_every_event_to_programs(capsys, monkeypatch):
    monkeypatch.setattr(chosen, "quiet", True)
    Lines(as_json=False, work=Silent()).event(REACHED)
    assert capsys.readouterr().out == ""
    Lines(as_json=True, work=Silent()).event(REACHED)
    assert json.loads(capsys.readouterr().out)["milestone"] == "bootstrap-etcd"
