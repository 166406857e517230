"""What is kept of a run, wherever the cluster runs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from hardway.drive import moments, pulse, record, sight
from hardway.drive.events import Event
from hardway.drive.pulse import Figures
from hardway.places import forward
from tests.unit.drive.test_decide import CLUSTER
from tests.unit.drive.test_sight import SEEN


def test_events_the_last_sight_and_every_moment_are_kept(tmp_path, monkeypatch):
    figures = Figures()
    beat = SimpleNamespace(figures=figures, start=lambda: None, stop=lambda: None, explain=lambda cause: None)
    told = []

    def drive(live, listener, options):
        options.look(replace(SEEN, leases={}))
        figures.requests = 7
        options.look(SEEN)
        listener(Event(kind="finished", seconds=1, text="done"))

    monkeypatch.setattr(pulse, "pulse", lambda folder, api: beat)
    monkeypatch.setattr(forward, "drive", drive)
    forward.forward(SimpleNamespace(cluster=CLUSTER, api=None), tmp_path, 16, told.append, lambda: None)
    assert [event.text for event in told] == [event.text for event in record.events(tmp_path)] == ["done"]
    first, last = moments.read(tmp_path)
    assert first.sight.leases == ()
    assert last.sight == sight.read(tmp_path) == sight.sight(SEEN, CLUSTER)
    assert (first.availability, last.availability) == ("", str(figures))
