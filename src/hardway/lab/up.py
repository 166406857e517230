"""The whole way: what it will be, whether it can be, and then as far as was asked."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from hardway.drive.events import Listener
from hardway.drive.live import LiveCluster, open_cluster
from hardway.drive.stall import Cause
from hardway.lab import cluster_files, finish, node, rendered
from hardway.lab.prepared import Prepared
from hardway.model.check import Report
from hardway.model.cluster import Cluster, Road
from hardway.model.errors import ConfigError
from hardway.model.stages import number
from hardway.places import forward as places
from hardway.workspace.folder import planned
from hardway.workspace.names import ASSETS, INSTALL_CONFIG

LAID_OUT = number("rhcos")  # the stage that gives every node its root
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
    if prepared.cluster.road == "rendered":
        rendered.bootstrap(prepared, watch)  # before anybody asks etcd, whose keys are made by it
    there = live_cluster(prepared)
    kept, turn = prepared.paths.folder, partial(watch.turn, prepared, there)
    places.forward(there, kept, until, watch.listener, turn, diagnose=partial(_causes, prepared))


def _causes(prepared: Prepared) -> tuple[Cause, ...]:
    """What the doctor says of a lab that does not come any further."""
    from hardway.lab.diagnosis import causes

    return causes(prepared, stalled=True)


def verify(prepared: Prepared, watch: Watch, ignore: Collection[str] = ()) -> Report:
    """Stage 17, while the client goes on asking."""
    there = live_cluster(prepared)
    look = partial(finish.verify, prepared, there)
    return places.verify(there, prepared.paths.folder, watch.listener, lambda: look().ignoring(ignore))
