"""What is wrong in a lab: its machines, names and load balancer, its API, the journals of its nodes and, once it is
finished, the checks of stage 17 that change nothing."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

from hardway.doctor import machines
from hardway.doctor.machines import SERVES, Place
from hardway.doctor.running import AT_ONCE
from hardway.drive import record
from hardway.drive.stall import Cause
from hardway.lab import finish, infrastructure, owner, power
from hardway.lab.prepared import Prepared, opened, paths_of
from hardway.lab.up import live_cluster
from hardway.model.check import Report
from hardway.workspace.folder import planned


def of_folder(folder: Path, since: timedelta | None = None, later: timedelta = AT_ONCE) -> Report:
    """Of a lab that is up; of another one there is nothing to see."""
    cluster = planned(folder)
    paths = paths_of(cluster, folder)
    if owner.marked(paths) != paths.mark or SERVES not in record.reached(paths.folder):
        return Report(
            ran=(), findings=(), notes=(f"Lab {paths.name} has no API yet, or is not up: it was not examined.",)
        )
    return examine(opened(folder), since, later)


def examine(
    prepared: Prepared, since: timedelta | None = None, later: timedelta = AT_ONCE, *, stalled: bool = False
) -> Report:
    live = live_cluster(prepared)
    place = Place(
        live=live,
        past=record.reached(prepared.paths.folder),
        wanted=[node.name for node in power.wanted(prepared.paths, prepared.cluster)],
        given=partial(finish.given, prepared, live, seconds=0),
        ground=partial(infrastructure.examine, prepared),
    )
    return machines.examine(place, since, later, stalled=stalled)


def causes(prepared: Prepared, *, stalled: bool = False) -> tuple[Cause, ...]:
    return machines.causes(partial(examine, prepared, stalled=stalled), prepared.folder, stalled=stalled)
