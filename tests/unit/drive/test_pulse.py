"""The pulse against a server that forgets and one that fails: what it counts, and that a second run goes on."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager

from hardway.drive import pulse
from hardway.drive.access import Access
from hardway.drive.client import Client
from hardway.drive.events import Event
from hardway.drive.wire import Endpoint, Identity
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority


class Store(Handler):
    """One ConfigMap; `server.mood` says how it is kept."""

    def do_GET(self):
        self.say(404 if self.server.kept is None else 200)

    def do_POST(self):
        self.write()

    def do_PATCH(self):
        if self.server.kept is None:
            self.body()
            return self.say(404)
        return self.write()

    def write(self):
        body = json.loads(self.body())
        if self.server.mood == "forgets" and self.server.kept is not None:
            return self.say(200)
        if self.server.mood == "works" or self.server.kept is None:
            self.server.kept = body
        return self.say(200)

    def say(self, code):
        self.answer(503 if self.server.mood == "fails" else code, json.dumps(self.server.kept or {}).encode())


@contextmanager
def store(folder, mood):
    authority = Authority()
    with served(Store, authority, folder / "tls", kept=None, mood=mood) as server:
        endpoint = Endpoint(host="127.0.0.1", port=server.server_port)
        yield server, Client(Access(endpoints=(endpoint,), identity=Identity(trust=authority.pem)))


def beaten(folder, api, count):
    """A run of its own, for so many requests more."""
    beat = pulse.pulse(folder, api)
    wanted = beat.figures.requests + count
    beat.start()
    while beat.figures.requests < wanted:
        time.sleep(0.05)
    return beat.stop()


def test_all_is_well_and_a_second_run_goes_on(tmp_path):
    folder = tmp_path
    with store(tmp_path, "works") as (server, api):
        first = beaten(folder, api, 6)
        assert (first.failed, first.lost) == (0, 0), first.failures
        second = beaten(folder, api, 6)
    assert (second.failed, second.lost) == (0, 0), second.failures
    assert second.writes >= first.writes + 3
    assert server.kept["data"] == {"count": str(second.count)}
    assert pulse.read(folder) == second


def test_what_was_acknowledged_and_is_not_there_is_lost(tmp_path):
    folder = tmp_path
    with store(tmp_path, "forgets") as (_server, api):
        figures = beaten(folder, api, 8)
    assert figures.lost >= 1
    assert "was acknowledged" in figures.failures[-1]


def test_what_fails_is_counted_with_its_reason(tmp_path):
    folder = tmp_path
    with store(tmp_path, "fails") as (_server, api):
        figures = beaten(folder, api, 4)
    assert (figures.failed, figures.writes, figures.lost) == (figures.requests, 0, 0)
    assert "503" in figures.failures[0]


def test_it_begins_when_stage_10_is_over(tmp_path):
    folder = tmp_path
    heard = []
    with store(tmp_path, "works") as (_server, api):
        beat = pulse.pulse(folder, api)
        report = pulse.beginning(beat, heard.append)
        events = [Event(kind="reached", seconds=1.0, text="", milestone=name) for name in ("manifests", pulse.BEGINS)]
        report(events[0])
        assert beat.stop().requests == 0
        beat = pulse.pulse(folder, api)
        report = pulse.beginning(beat, heard.append)
        report(events[1])
        while beat.figures.requests < 2:
            time.sleep(0.05)
        beat.stop()
    assert heard == events


def test_a_silence_is_measured_and_gets_the_cause_that_was_seen_meanwhile(tmp_path):
    folder = tmp_path
    with store(tmp_path, "works") as (server, api):
        beat = pulse.pulse(folder, api)
        beat.explain("nothing is silent yet, so this is no cause")
        beat.start()
        answers(beat, 2)
        server.mood = "fails"
        time.sleep(pulse.SILENT * 1.5)
        beat.explain("etcd has no majority")
        server.mood = "works"
        answers(beat, 2)
        figures = beat.stop()
    (silence,) = figures.silences
    assert silence.endswith("s: etcd has no majority")
    assert figures.silent > pulse.SILENT
    assert f"{figures.silent:.1f} s without an answer" in str(figures)


def answers(beat, count):
    wanted = beat.figures.writes + count
    while beat.figures.writes < wanted:
        time.sleep(0.05)
