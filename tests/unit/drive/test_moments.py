"""What was seen during a run, moment by moment, and what is left of it when a file is damaged."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hardway.drive import moments
from hardway.drive.moments import EVERY, FILE, Moment
from hardway.drive.sight import sight
from hardway.io.links import LinkError
from tests.unit.drive.test_decide import CLUSTER
from tests.unit.drive.test_sight import SEEN

LATER = replace(SEEN, leases={})


class Run:
    """A run with a clock and a client of its own."""

    def __init__(self, folder):
        self.now, self.counted = 100.0, ""
        self.folder = folder
        self.look = moments.keeping(folder, CLUSTER, lambda: self.counted, lambda: self.now)

    def at(self, seconds, seen, counted=""):
        self.now, self.counted = 100.0 + seconds, counted
        self.look(seen)

    @property
    def lines(self):
        return [json.loads(line) for line in (self.folder / FILE).read_text().splitlines()]


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path)


def test_a_moment_is_added_when_something_has_changed_and_has_only_that(run):
    run.at(1, SEEN)
    run.at(2, SEEN)
    run.at(3.04, LATER)
    first, second = run.lines
    assert first["seconds"] == 1
    assert second == {"seconds": 3.0, "leases": []}
    assert moments.read(run.folder) == (
        Moment(seconds=1, sight=sight(SEEN, CLUSTER)),
        Moment(seconds=3, sight=sight(LATER, CLUSTER)),
    )


def test_figures_are_kept_with_what_changes_and_else_now_and_then(run):
    run.at(1, SEEN, "1 request")
    run.at(2, SEEN, "2 requests")
    run.at(1 + EVERY, SEEN, "9 requests")
    run.at(2 + EVERY, LATER, "10 requests")
    said = [(moment.seconds, moment.availability) for moment in moments.read(run.folder)]
    assert said == [(1, "1 request"), (1 + EVERY, "9 requests"), (2 + EVERY, "10 requests")]


def test_a_new_run_begins_a_new_file(run):
    run.at(7, SEEN)
    assert Run(run.folder).lines == []
    assert moments.read(run.folder) == ()


def test_without_a_file_nothing_was_seen(tmp_path):
    assert moments.read(tmp_path) == ()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "7",
        "[]",
        "{}",
        '{"seconds": "x"}',
        '{"seconds": 1, "nodes": [7]}',
        '{"seconds": 1, "nodes": 7}',
        '{"seconds": 1, "nodes": [{"name": "a", "state": 7}]}',
        '{"seconds": 1, "availability": 7}',
        '{"seconds": 1, "availability": "\\ud800"}',
    ],
)
def test_what_comes_before_a_damaged_line_is_known(run, line):
    run.at(1, SEEN)
    with (run.folder / FILE).open("a") as stream:
        stream.write(f'{line}\n{{"seconds": 9}}\n')
    assert [moment.seconds for moment in moments.read(run.folder)] == [1]


def test_a_link_is_not_followed(run):
    (run.folder / FILE).unlink()
    (run.folder / FILE).symlink_to(run.folder / "elsewhere")
    with pytest.raises(LinkError):
        run.at(1, SEEN)
    assert not (run.folder / "elsewhere").exists()
