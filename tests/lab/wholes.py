"""Whole labs to test with: from nothing to a cluster, with a client that never stops asking."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from hardway.drive import pulse
from hardway.drive.events import Event
from hardway.drive.live import LiveCluster, open_cluster
from hardway.drive.loop import Options, drive
from hardway.drive.observation import Observation
from hardway.lab import cgroups, cluster_files, finish, prepared, removal
from hardway.lab.prepared import Prepared, Progress
from hardway.labrelease.checkouts.made import Made
from hardway.model.cluster import Road
from hardway.workspace.folder import planned
from hardway.workspace.names import SETTINGS
from tests.lab.machines import networking, traces
from tests.support.waiting import until

MEGABYTE = 1024 * 1024


@dataclass
class Whole:
    """A prepared lab and everything in it; what was told of it."""

    prepared: Prepared
    live: LiveCluster
    beat: pulse.Pulse
    begun: float
    events: list[Event] = field(default_factory=list)

    def drive(self, until: int = 16) -> Observation:
        report = pulse.beginning(self.beat, self.events.append)
        look = pulse.looking(self.beat, self.prepared.cluster)
        return drive(self.live, report, Options(until=until, look=look))

    def problems(self) -> list[str]:
        """Of stage 17."""
        return [f"{f.check} {f.subject}: {f.message}" for f in finish.verify(self.prepared, self.live).findings]

    def kubectl(self, *words: str) -> str:
        """What it prints; it must succeed."""
        done = finish.kubectl(self.prepared)(words)
        assert done.ok, f"{words}: {done.output}{done.errors}"
        return done.output

    def writes_go_on(self, count: int = 30) -> None:
        """As many more acknowledged writes as named, whatever fails in between."""
        wanted = self.beat.figures.writes + count
        until(lambda: self.beat.figures.writes >= wanted, lambda: str(self.beat.figures.failures))

    def memory(self) -> dict[str, int]:
        """Megabytes that a node's processes hold, files in memory apart."""
        return {name: _held(self, name) // MEGABYTE for name in self.prepared.paths.laid_out() if self.runs(name)}

    def runs(self, name: str) -> bool:
        return self.prepared.machines.running(name)


def _held(lab: Whole, name: str) -> int:
    for group in cgroups.groups(lab.prepared.paths, name):
        statistics = group / "memory.stat"
        if statistics.exists():
            rows = dict(line.split() for line in statistics.read_text().splitlines())
            return int(rows.get("total_rss") or rows["anon"])
    raise AssertionError(f"{name} has no group that counts memory")


@contextmanager
def cluster_folder(name: str, topology: str) -> Iterator[Path]:
    """The files of a cluster on a network of its own; whatever lab is made of them is gone afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="hardway-whole-", dir="/var/tmp") as scratch,
        pytest.MonkeyPatch.context() as patch,
    ):
        os.chmod(scratch, 0o711)
        patch.setenv("XDG_STATE_HOME", f"{scratch}/state")
        folder = Path(scratch) / name
        cluster_files.write_files(folder, topology)
        path = folder / "install-config.yaml"
        config = yaml.safe_load(path.read_text())
        path.write_text(yaml.safe_dump({**config, "networking": networking()}))
        place = prepared.paths_of(planned(folder), folder)
        try:
            yield folder
        finally:
            removal.remove(place)
        assert traces(place) == []


def quiet(what: str, done: int, total: int) -> None:
    pass


def opened(made: Prepared, begun: float) -> Whole:
    live = open_cluster(made.cluster, made.folder / "assets", made.machines)
    return Whole(prepared=made, live=live, beat=pulse.pulse(made.paths.folder, live.api), begun=begun)


@contextmanager
def whole(
    name: str, topology: str, road: Road = "hand", progress: Progress = quiet, made: Sequence[Made] = ()
) -> Iterator[Whole]:
    """Ready to be driven; `made` are components of its release that come from checkouts."""
    with cluster_folder(name, topology) as folder:
        (folder / SETTINGS).write_text(f"road: {road}\n")
        begun = time.monotonic()
        found = opened(prepared.prepare(folder, progress=progress, made=made), begun)
        try:
            yield found
        finally:
            found.beat.stop()
