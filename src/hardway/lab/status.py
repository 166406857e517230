"""How a lab stands, read from the machine and the cluster: whatever is not there yet is missing, and no error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hardway.drive import objects, pulse, record
from hardway.drive.client import Trouble
from hardway.drive.live import LiveCluster
from hardway.drive.observation import Observation
from hardway.drive.observe import NODES, observe
from hardway.drive.sight import Sight, sight
from hardway.lab import cgroups, owner, power, releases, services
from hardway.lab.deviations import table
from hardway.lab.deviations.row import Given, look
from hardway.lab.diagnosis import causes
from hardway.lab.node import state
from hardway.lab.paths import LabPaths
from hardway.lab.prepared import Prepared, opened, paths_of
from hardway.lab.up import live_cluster
from hardway.labrelease import deviations as release_deviations
from hardway.labrelease.images.bases import bases
from hardway.model.cluster import UNREAD, Cluster
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import HardwayError
from hardway.places.milestones import MilestoneRow, Way, milestones
from hardway.workspace.folder import planned

UNSEEN = Observation(api="the lab is not up", etcd_trouble="the lab is not up")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    name: str
    role: str
    address: str
    state: str  # absent, off, or in systemd's words
    ready: str  # Ready, the reason why not, or empty: it has not joined


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
class Status(Way):
    name: str
    folder: str  # the lab's own
    up: bool  # whether its network stands
    network: str
    release: str  # the one that the cluster runs; before it says so, the one that it is made from
    services: dict[str, bool]
    nodes: tuple[NodeRow, ...]
    sight: Sight  # members of etcd, static pods, leases, certificate requests
    milestones: tuple[MilestoneRow, ...]
    pulse: dict[str, Any]  # what a client of the API has counted; empty, if nobody has begun
    finished: bool  # every milestone was reached once
    off: tuple[str, ...]  # nodes that should be on
    sources: tuple[dict[str, Any], ...] = ()  # the release's components from checkouts, with what git said of each
    bases: tuple[str, ...] = ()  # the Debians that images and nodes stand on, with their ages
    trouble: str = ""  # why the cluster itself could not be asked
    causes: tuple[str, ...] = ()  # what the doctor says of a milestone that has stalled, or is lost again

    def as_dict(self) -> dict[str, Any]:
        told = asdict(self)
        rows = told.pop("sight")
        members = [{"name": row.name, "state": row.state} for row in self.sight.members]
        return told | {"members": members, **{name: rows[name] for name in ("pods", "leases", "requests")}}


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
    found = _status(paths, prepared.cluster, seen, up=True)
    return replace(found, causes=_causes(prepared)) if _is_stuck(found, paths) else found


def _is_stuck(found: Status, paths: LabPaths) -> bool:
    """A finished cluster that has lost a milestone, or one on the way whose last run has given up."""
    events = record.events(paths.folder)
    given_up = bool(events) and events[-1].kind == "stalled"
    return found.waiting is not None and not found.off and (found.finished or given_up)


def _causes(prepared: Prepared) -> tuple[str, ...]:
    return tuple(f"{cause.text}; seen: {cause.evidence}" for cause in causes(prepared))


def _status(paths: LabPaths, cluster: Cluster, seen: Observation, *, up: bool) -> Status:
    counted, past = pulse.read(paths.folder), record.reached(paths.folder)
    rows = tuple(milestones(cluster, seen, past))
    nodes = tuple(_nodes(paths, cluster, seen))
    useful = {node.name for node in power.wanted(paths, cluster)}
    return Status(
        name=paths.name,
        folder=str(paths.folder),
        up=up,
        network=", ".join(map(str, cluster.machine_networks)),
        release=_release(cluster, seen),
        sources=tuple(releases.sources(paths, seen.version.image)),
        services={name: up and cgroups.runs(paths, name) for name in (services.NAMES, services.LOAD, services.IMAGES)},
        nodes=nodes,
        sight=sight(seen, cluster),
        milestones=rows,
        pulse=counted.as_dict() if counted.requests else {},
        bases=tuple(base.told(SystemEntropy().now()) for base in bases()),
        finished=all(row.reached or row.before for row in rows),
        off=tuple(node.name for node in nodes if node.state == "off" and node.name in useful),
    )


def _release(cluster: Cluster, seen: Observation) -> str:
    if seen.version.image:
        return f"{seen.version.version} {seen.version.image}"
    return "not read yet" if cluster.release is UNREAD else f"{cluster.release.version} {cluster.release.image}"


def _nodes(paths: LabPaths, cluster: Cluster, seen: Observation) -> Iterator[NodeRow]:
    there = paths.laid_out()
    for row in cluster.nodes:
        found = seen.nodes.get(row.name)
        ready = "" if found is None else "Ready" if found.ready else f"not Ready: {found.reason}"
        now = state(paths, row.name) if row.name in there else "absent"
        yield NodeRow(name=row.name, role=row.role, address=row.address, state=now, ready=ready)


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
