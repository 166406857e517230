"""A time limit runs at the pace that the machine has to give."""

from __future__ import annotations

import os
import time

import pytest

from hardway.model.errors import ToolError
from hardway.tools import patience
from hardway.tools.patience import Patience, share, stretched
from hardway.tools.run import attempt, run


@pytest.fixture
def processors():
    return len(os.sched_getaffinity(0))


def busy(monkeypatch, wanting):
    monkeypatch.setattr(os, "getloadavg", lambda: (wanting, 0.0, 0.0))


def test_a_machine_with_time_gives_whole_seconds(monkeypatch, processors):
    busy(monkeypatch, 0.0)
    assert (share(), stretched(4.0)) == (1.0, 4.0)
    busy(monkeypatch, float(processors))
    assert (share(), stretched(4.0)) == (1.0, 4.0)


def test_a_busy_one_gives_a_share_and_every_wait_ends(monkeypatch, processors):
    busy(monkeypatch, processors * 4.0)
    assert (share(), stretched(4.0)) == (0.25, 16.0)
    busy(monkeypatch, processors * 1000.0)
    assert share() == patience.LEAST


def test_seconds_count_by_the_share(monkeypatch, processors):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    busy(monkeypatch, 0.0)
    wait = Patience(10)
    now[0] += 8
    assert not wait.ended()
    busy(monkeypatch, processors * 4.0)
    now[0] += 7
    assert not wait.ended()
    now[0] += 2
    assert wait.ended()
    assert Patience(0).ended()


def test_no_wait_is_longer_than_an_hour_more(monkeypatch, processors):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    busy(monkeypatch, processors * 1000.0)
    wait = Patience(2400)
    now[0] += 2400 + patience.MORE
    assert not wait.ended()
    now[0] += 1
    assert wait.ended()
    assert stretched(2400) == 2400 + patience.MORE


def test_a_program_that_does_not_end_is_ended(monkeypatch):
    busy(monkeypatch, 0.0)
    with pytest.raises(ToolError, match=r"^sleep 600: no answer after 0 s$"):
        attempt(["sleep", "600"], seconds=0.1)


def test_a_program_that_takes_several_looks_gets_all_its_input_and_all_its_output_is_kept(monkeypatch):
    monkeypatch.setattr("hardway.tools.run.TURN", 0.05)
    text = "x" * 300_000
    assert run(["sh", "-c", "echo first; sleep 0.3; cat; sleep 0.3"], stdin=text) == f"first\n{text}"
