"""A cluster whose machines can be asked, wherever it runs: machines, API and journals and, once it is finished, the
checks of stage 17 that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from hardway.checks.live.given import Given
from hardway.checks.live.table import READING
from hardway.checks.log.table import TABLE as LOG
from hardway.checks.nodes.subject import RunningNodes
from hardway.checks.nodes.table import TABLE as NODES
from hardway.doctor import running
from hardway.doctor.diagnosis import diagnose
from hardway.doctor.folder import files
from hardway.doctor.log import scanned_bytes
from hardway.doctor.past import explained
from hardway.doctor.running import AT_ONCE
from hardway.doctor.told import stall
from hardway.drive import record
from hardway.drive.live import LiveCluster
from hardway.drive.stall import Cause
from hardway.model.check import Report, run
from hardway.model.errors import HardwayError, ToolError
from hardway.workspace.folder import open_workspace

SERVES = "bootstrap-api"  # the milestone from which on the API answers
MOVED = "etcd-grown"  # and from which on etcd can do without the bootstrap node
ON = {"bootstrap": SERVES, "master": "masters-ready", "worker": "workers-ready"}
"""The milestone after which the machines of a role are on."""
LINES = 20_000  # of a journal
RECENT = timedelta(minutes=15)
MOST = 3  # causes that are told to who waits
UNFINISHED = "the cluster has not reached its last milestone, or a machine or the API is off"
NOTHING = Report(ran=(), findings=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What differs from one place to another."""

    live: LiveCluster
    past: frozenset[str]  # milestones that were reached once
    wanted: Collection[str]  # machines that should be on, as soon as it is their time
    given: Callable[[], Given]  # for the checks of stage 17
    ground: Callable[[], Report] = lambda: NOTHING  # what the machines stand on: names and load balancer


def examine(
    place: Place, since: timedelta | None = None, later: timedelta = AT_ONCE, *, stalled: bool = False
) -> Report:
    """The state decides whether something is wrong, and journals tell why: they are read only if it is, or if somebody
    asks for them. Every installation has lines in them that look like failures and pass."""
    live = place.live
    names = [node.name for node in live.cluster.nodes]
    on = {name for name, answer in zip(names, live.pool.map(live.machines.running, names), strict=True) if answer}
    state = _state(place, on, since or RECENT, later)
    if stalled:
        return Report.merge([state, *_journals(live, on, since or RECENT)])
    asked = since is not None or not state.ok
    return explained(state, _journals(live, on, since or RECENT)) if asked else state


def causes(look: Callable[[], Report], folder: Path, *, stalled: bool) -> tuple[Cause, ...]:
    """The roots of what is wrong, the first one first. Of a cluster that has stalled, the files are read back too, and
    what would be normal for some minutes more is a cause if nothing else is. A doctor who fails says nothing."""
    try:
        seen = [look()]
        if stalled:
            seen.append(files(open_workspace(folder)))
    except HardwayError:
        return ()
    roots = diagnose(Report.merge(seen)).roots
    failing = [root for root in roots if root.failing]
    lasting = [root for root in roots if stalled and root.case.symptom and root.case.failures]
    return tuple(stall(root) for root in sorted(failing or lasting, key=lambda root: not root.case.failures)[:MOST])


def _state(place: Place, on: Collection[str], since: timedelta, later: timedelta) -> Report:
    """What needs no API is looked at while the API is asked."""
    live = place.live
    nodes, ground = live.pool.submit(_nodes, live, on), live.pool.submit(place.ground)
    off = dict(_off(place, on))
    api = running.examine(live.api, plan=live.cluster, home=live.assets, off=off, since=since, later=later)
    answers = not any(finding.check == "cluster.answers" for finding in api.findings)
    finished = record.LAST in place.past and answers and not off
    return Report.merge([ground.result(), nodes.result(), api, _final(place, later, finished=finished)])


def _nodes(live: LiveCluster, on: Collection[str]) -> Report:
    there = tuple(node for node in live.cluster.nodes if node.name in on)
    with ThreadPoolExecutor(max_workers=len(live.cluster.nodes), thread_name_prefix="nodes") as pool:
        return run(NODES, RunningNodes(cluster=live.cluster, machines=live.machines, pool=pool, on=there))


def _off(place: Place, on: Collection[str]) -> Iterator[tuple[str, str]]:
    """Machines that were on once. At first, the bootstrap node alone has etcd."""
    cluster = place.live.cluster
    for node in cluster.nodes:
        if node.name in place.wanted and ON[node.role] in place.past and node.name not in on:
            first = node.name == cluster.bootstrap.name and MOVED not in place.past
            yield node.name, "F31" if first else ""


def _journals(live: LiveCluster, on: Collection[str], since: timedelta) -> list[Report]:
    """Side by side."""
    begin = f"--since=-{int(since.total_seconds())}s"
    command = ["journalctl", "--no-pager", "--output=short-iso", f"--lines={LINES}", begin]

    def log(name: str) -> Report | None:
        try:
            content = live.machines.run(name, command).output.encode()
        except ToolError:
            return None
        found = scanned_bytes(content, f"{name}, journal")
        return run(LOG, found) if found.sightings else None

    return [report for report in live.pool.map(log, sorted(on)) if report]


def _final(place: Place, later: timedelta, *, finished: bool) -> Report:
    if not finished:
        return replace(NOTHING, skipped={check.name: UNFINISHED for check in READING})
    given = place.given()
    return run(READING, replace(given, now=given.now + later))
