"""What is wrong with a cluster on libvirt or on machines of its owner's, which are asked by ssh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from hardway.checks.network.dns import TABLE as DNS
from hardway.checks.network.ports import TABLE as PORTS
from hardway.checks.network.target import Expect, Target
from hardway.doctor import machines
from hardway.doctor.machines import SERVES, Place
from hardway.doctor.running import AT_ONCE
from hardway.drive.live import ADMIN
from hardway.drive.stall import Cause
from hardway.model.check import Report, run
from hardway.model.entropy import SystemEntropy
from hardway.network.dns.client import parse_server
from hardway.places import finish
from hardway.places.kubectl import administrator
from hardway.places.own.cluster import OwnCluster
from hardway.places.own.switch import wanted
from hardway.tools.run import Done, attempt

EARLY = (
    "The API of the cluster has not answered yet, so its machines were not examined; `hardway up` tells the cause of a "
    "step that takes too long."
)


def examine(own: OwnCluster, since: timedelta | None = None, later: timedelta = AT_ONCE) -> Report:
    """As soon as the API has answered once: before that, everything that is missing may still come."""
    if SERVES not in own.machines.remembered():
        return replace(machines.NOTHING, notes=(EARLY,))
    return _with_troubles(own, machines.examine(_place(own), since, later))


def causes(own: OwnCluster, folder: Path, *, stalled: bool) -> tuple[Cause, ...]:
    """For a run that waits: names and load balancer are looked at too, as far as they answer here."""
    place = _place(own)
    seen = replace(place, ground=partial(_ground, own)) if stalled else place
    return machines.causes(partial(machines.examine, seen, stalled=stalled), folder, stalled=stalled)


def _place(own: OwnCluster) -> Place:
    return Place(
        live=own.live,
        past=own.machines.remembered(),
        wanted=wanted(own),
        given=partial(finish.given, own.live, partial(_kubectl, own), seconds=0),
    )


def _kubectl(own: OwnCluster, asked: Sequence[str]) -> Done:
    """It is looked for when it is used: checks that only look do without."""
    return attempt([*administrator(own.live.cluster, own.live.assets / ADMIN), *asked])


def _ground(own: OwnCluster) -> Report:
    """A name server that only the machines can reach is no defect."""
    cluster, entropy = own.live.cluster, SystemEntropy()
    servers = [parse_server(text) for text in cluster.dns_servers]
    expect: Expect = "api" if SERVES in own.machines.remembered() else "balancer"
    asked = Target(cluster=cluster, servers=servers, entropy=entropy, expect=expect)
    heard = Target(cluster=cluster, servers=asked.answering, entropy=entropy, expect=expect)
    return run((*DNS, *PORTS), heard)


def _with_troubles(own: OwnCluster, report: Report) -> Report:
    return replace(report, notes=(*report.notes, *_notes(own)))


def _notes(own: OwnCluster) -> Iterator[str]:
    """Machines that are on and could not be asked."""
    for text in own.machines.troubles.values():
        reason, _, fix = text.partition("\n    fix: ")
        yield f"not asked: {reason}" + (f" To correct it: {fix}." if fix else "")
