"""The whole way: what it will be, whether it can be, and then as far as was asked."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from hardway.drive.decide import LAST as DRIVEN
from hardway.drive.events import Event, Listener
from hardway.drive.live import LiveCluster, open_cluster
from hardway.drive.loop import Options, drive
from hardway.lab import cluster_files, finish, node, pulse, record, rendered
from hardway.lab.prepared import Prepared, planned
from hardway.model.check import Report
from hardway.model.cluster import Cluster, Road
from hardway.model.errors import ConfigError
from hardway.model.stages import number
from hardway.workspace.names import ASSETS, INSTALL_CONFIG

LAID_OUT = number("rhcos")  # the stage that gives every node its root
BOOTSTRAPPED = number("bootstrap")  # from here on the API must always answer
RENDERED = number("masters")  # where the road of that name ends
FINAL = number("final-verification")
DEFAULT_TOPOLOGY = "3+2"


def draft(folder: Path, topology: str | None, road: Road | None = None) -> Cluster:
    """The plan of the folder, or the one that a folder without a cluster would get; nothing is written."""
    if (folder / INSTALL_CONFIG).exists():
        cluster = planned(folder)
        _agrees(folder, cluster, topology)
        return cluster_files.on_road(folder, cluster, road)
    if folder.is_dir() and any(folder.iterdir()):
        cluster_files.write_files(folder, topology or DEFAULT_TOPOLOGY)  # refuses, and says why
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / (folder.absolute().name or "lab")
        cluster_files.write_files(place, topology or DEFAULT_TOPOLOGY)
        return replace(planned(place), road=road or "hand")


def _agrees(folder: Path, cluster: Cluster, topology: str | None) -> None:
    there = (len(cluster.masters), len(cluster.workers))
    if topology and cluster_files.shape(topology) != there:
        raise ConfigError(
            f"--topology {topology}: {folder / INSTALL_CONFIG} has {there[0]}+{there[1]}, and was left as it is.\n"
            "    fix: leave --topology out, or name another folder"
        )


def last(cluster: Cluster) -> int:
    """The last stage of the cluster's road."""
    return RENDERED if cluster.road == "rendered" else FINAL


def within(cluster: Cluster, until: int) -> None:
    """What comes after the masters have joined is another road's."""
    if until > last(cluster):
        raise ConfigError(
            f"--until {until:02}: the road rendered ends with stage {RENDERED}.\n    fix: give --until {RENDERED}"
        )


def lay_out(prepared: Prepared) -> None:
    """Every node's root from its own Ignition file; none is started."""
    for row in prepared.cluster.nodes:
        config = prepared.folder / ASSETS / f"{row.name}.ign"
        node.lay_out(prepared.paths, prepared.cluster, row, config, prepared.materials)


def live_cluster(prepared: Prepared) -> LiveCluster:
    return open_cluster(prepared.cluster, prepared.folder / ASSETS, prepared.machines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Who is told: of every event, and at every turn of the loop."""

    listener: Listener
    turn: Callable[[Prepared, LiveCluster], None] = lambda prepared, live: None


def forward(prepared: Prepared, until: int, watch: Watch) -> None:
    """From the ground on to the stage; a second time, what is reached already is seen and left."""
    if until == LAID_OUT:
        lay_out(prepared)
    if until <= LAID_OUT:
        return
    within(prepared.cluster, until)
    if prepared.cluster.road == "rendered":
        rendered.bootstrap(prepared, watch)  # before anybody asks etcd, whose keys are made by it
    if record.LAST in record.reached(prepared.paths):
        text = "this cluster was finished before: nodes that are off are started, and nothing is made again"
        watch.listener(Event(kind="acted", seconds=0, text=text))
    there = live_cluster(prepared)
    beat = pulse.pulse(prepared.paths, there.api)
    listener = pulse.beginning(beat, watch.listener) if until > BOOTSTRAPPED else watch.listener

    def pause(seconds: float) -> None:
        watch.turn(prepared, there)
        time.sleep(seconds)

    watch.turn(prepared, there)
    last, look = min(until, DRIVEN), pulse.looking(beat, prepared.cluster)
    try:
        drive(there, listener, Options(until=last, sleep=pause, look=look))
    finally:
        beat.stop()


def verify(prepared: Prepared, watch: Watch, ignore: Collection[str] = ()) -> Report:
    """Stage 17, while the client goes on asking."""
    begun = time.monotonic()
    watch.listener(Event(kind="acted", seconds=0, stage=str(FINAL), text="the final verification starts"))
    there = live_cluster(prepared)
    beat = pulse.pulse(prepared.paths, there.api)
    beat.start()
    try:
        found = finish.verify(prepared, there).ignoring(ignore)
    finally:
        beat.stop()
    text = f"{len(found.ran)} checks ran, {len(found.errors)} found something wrong"
    watch.listener(Event(kind="finished", seconds=round(time.monotonic() - begun, 1), stage=str(FINAL), text=text))
    return found
