"""How a lab stands, read from the machine and the cluster: whatever is not there yet is missing, and no error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hardway.drive import objects
from hardway.drive.client import Trouble
from hardway.drive.live import LiveCluster
from hardway.drive.milestones.table import TABLE
from hardway.drive.observation import Observation
from hardway.drive.observe import NODES, observe
from hardway.lab import cgroups, owner, power, pulse, record, services
from hardway.lab.deviations import table
from hardway.lab.deviations.row import Given, look
from hardway.lab.node import state
from hardway.lab.paths import LabPaths
from hardway.lab.prepared import Prepared, opened, paths_of, planned
from hardway.lab.up import live_cluster
from hardway.labrelease import deviations as release_deviations
from hardway.labrelease.images.bases import bases
from hardway.model.cluster import UNREAD, Cluster
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import HardwayError

UNSEEN = Observation(api="the lab is not up", etcd_trouble="the lab is not up")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    name: str
    role: str
    address: str
    state: str  # absent, off, or in systemd's words
    ready: str  # Ready, the reason why not, or empty: it has not joined


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow:
    name: str
    state: str  # leader, voter, learner, unwell, not started


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneRow:
    name: str
    stage: str
    reached: bool  # as it is now
    missing: str = ""  # of the first that is not reached
    before: bool = False  # it was reached once, also if machines that show it are off now


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviationRow:
    address: str
    kind: str
    subject: str
    what: str
    why: str

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    name: str
    folder: str  # the lab's own
    up: bool  # whether its network stands
    network: str
    release: str
    services: dict[str, bool]
    nodes: tuple[NodeRow, ...]
    members: tuple[MemberRow, ...]
    milestones: tuple[MilestoneRow, ...]
    pulse: dict[str, Any]  # what a client of the API has counted; empty, if nobody has begun
    finished: bool  # every milestone was reached once
    off: tuple[str, ...]  # nodes that should be on
    bases: tuple[str, ...] = ()  # the Debians that images and nodes stand on, with their ages
    trouble: str = ""  # why the cluster itself could not be asked

    @property
    def waiting(self) -> MilestoneRow | None:
        """The first milestone that is not reached now."""
        return next((row for row in self.milestones if not row.reached), None)

    @property
    def next(self) -> MilestoneRow | None:
        """The first milestone that was never reached."""
        return next((row for row in self.milestones if not (row.reached or row.before)), None)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def status(folder: Path) -> Status:
    cluster = planned(folder)
    paths = paths_of(cluster, folder)
    if owner.marked(paths) != paths.mark:
        return _status(paths, cluster, UNSEEN, up=False)
    try:
        prepared = opened(folder)
        seen = observe(live_cluster(prepared))
    except HardwayError as error:
        unseen = replace(UNSEEN, api="not reachable", etcd_trouble="not reachable")
        return replace(_status(paths, cluster, unseen, up=True), trouble=str(error))
    return _status(paths, prepared.cluster, seen, up=True)


def _status(paths: LabPaths, cluster: Cluster, seen: Observation, *, up: bool) -> Status:
    counted, past = pulse.read(paths), record.reached(paths)
    milestones = tuple(_milestones(cluster, seen, past))
    nodes = tuple(_nodes(paths, cluster, seen))
    useful = {node.name for node in power.wanted(paths, cluster)}
    return Status(
        name=paths.name,
        folder=str(paths.folder),
        up=up,
        network=", ".join(map(str, cluster.machine_networks)),
        release="not read yet" if cluster.release is UNREAD else f"{cluster.release.version} {cluster.release.image}",
        services={name: up and cgroups.runs(paths, name) for name in (services.NAMES, services.LOAD, services.IMAGES)},
        nodes=nodes,
        members=tuple(_members(seen)),
        milestones=milestones,
        pulse=counted.as_dict() if counted.requests else {},
        bases=tuple(base.told(SystemEntropy().now()) for base in bases()),
        finished=all(row.reached or row.before for row in milestones),
        off=tuple(node.name for node in nodes if node.state == "off" and node.name in useful),
    )


def _nodes(paths: LabPaths, cluster: Cluster, seen: Observation) -> Iterator[NodeRow]:
    there = paths.laid_out()
    for row in cluster.nodes:
        found = seen.nodes.get(row.name)
        ready = "" if found is None else "Ready" if found.ready else f"not Ready: {found.reason}"
        now = state(paths, row.name) if row.name in there else "absent"
        yield NodeRow(name=row.name, role=row.role, address=row.address, state=now, ready=ready)


def _members(seen: Observation) -> Iterator[MemberRow]:
    view = seen.etcd
    leader = view.leader.id if view and view.leader else 0
    for member in view.members if view else ():
        if not member.started:
            now = "not started"
        elif member.learner:
            now = "learner"
        elif not view or not view.healthy(member):
            now = "unwell"
        else:
            now = "leader" if member.id == leader else "voter"
        yield MemberRow(name=member.name or member.peers[0], state=now)


def _milestones(cluster: Cluster, seen: Observation, past: frozenset[str]) -> Iterator[MilestoneRow]:
    """In order: what comes after the first that is missing is not looked at."""
    reached = True
    for row in TABLE:
        missing = row.missing(seen, cluster) if reached else ""
        reached = reached and not missing
        yield MilestoneRow(name=row.name, stage=row.stage, reached=reached, missing=missing, before=row.name in past)


def deviations(cluster: Cluster) -> tuple[DeviationRow, ...]:
    """What the nodes on this machine, and the lab's release, do differently; each with its reason."""
    host = look()
    given = [Given(cluster=cluster, node=node, host=host, registry="", assets=Path()) for node in cluster.nodes]
    nodes = (row for row in table.TABLE if any(row.applies(one) for one in given))
    stand_ins = (release_deviations.stand_in(name, other_set=False) for name in release_deviations.STAND_INS)
    return (
        *(DeviationRow(address=r.address, kind="node", subject=r.name, what=r.what, why=r.why) for r in nodes),
        *(_of_release(row) for row in release_deviations.RELEASE),
        *(_of_release(row, "A stand-in.") for row in stand_ins),
    )


def _of_release(row: release_deviations.Deviation, what: str = "") -> DeviationRow:
    return DeviationRow(address=row.address, kind=row.kind, subject=row.subject, what=what, why=row.why)


def states(prepared: Prepared, live: LiveCluster) -> dict[str, str]:
    """For a view that looks at every turn: a word a node."""
    asked = live.api.items(NODES)
    joined = {} if isinstance(asked, Trouble) else {n["metadata"]["name"]: objects.node(n).ready for n in asked}
    found = {}
    for row in prepared.cluster.nodes:
        ready = "Ready" if joined.get(row.name) else "not Ready" if row.name in joined else "on"
        found[row.name] = ready if prepared.machines.running(row.name) else "off"
    return found
