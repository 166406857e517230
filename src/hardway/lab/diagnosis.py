"""What is wrong in a lab: its machines, names and load balancer, its API, the journals of its nodes and, once it is
finished, the checks of stage 17 that change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from hardway.checks.live.table import READING
from hardway.checks.log.table import TABLE as LOG
from hardway.checks.nodes.subject import running_nodes
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
from hardway.lab import finish, infrastructure, owner, power
from hardway.lab.prepared import Prepared, opened, paths_of
from hardway.lab.up import live_cluster
from hardway.model.check import Report, run
from hardway.model.errors import HardwayError, ToolError
from hardway.workspace.folder import open_workspace, planned

SERVES = "bootstrap-api"  # the milestone from which on the API answers
MOVED = "etcd-grown"  # and from which on etcd can do without the bootstrap node
ON = {"bootstrap": SERVES, "master": "masters-ready", "worker": "workers-ready"}
"""The milestone after which the machines of a role are on."""
LINES = 20_000  # of a journal
RECENT = timedelta(minutes=15)
MOST = 3  # causes that are told to who waits
UNFINISHED = "the lab has not reached its last milestone, or a machine or the API is off"


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
    """The state decides whether something is wrong, and journals tell why: they are read only if it is, or if somebody
    asks for them. Every installation has lines in them that look like failures and pass."""
    live, past = live_cluster(prepared), record.reached(prepared.paths.folder)
    state = _state(prepared, live, past, since or RECENT, later)
    if stalled:
        return Report.merge([state, *_journals(live, since or RECENT)])
    asked = since is not None or not state.ok
    return explained(state, _journals(live, since or RECENT)) if asked else state


def _state(prepared: Prepared, live: LiveCluster, past: frozenset[str], since: timedelta, later: timedelta) -> Report:
    """What needs no API is looked at while the API is asked."""
    nodes = live.pool.submit(_nodes, live)
    ground = live.pool.submit(infrastructure.examine, prepared)
    off = dict(_off(prepared, past))
    api = running.examine(live.api, plan=live.cluster, home=live.assets, off=off, since=since, later=later)
    answers = not any(finding.check == "cluster.answers" for finding in api.findings)
    finished = record.LAST in past and answers and not off
    return Report.merge([ground.result(), nodes.result(), api, _final(prepared, live, later, finished=finished)])


def _nodes(live: LiveCluster) -> Report:
    with ThreadPoolExecutor(max_workers=len(live.cluster.nodes), thread_name_prefix="nodes") as pool:
        return run(NODES, running_nodes(live.cluster, live.machines, pool))


def causes(prepared: Prepared, *, stalled: bool = False) -> tuple[Cause, ...]:
    """The roots of what is wrong, the first one first. With a lab that has stalled, its files are read back too, and
    what would be normal for some minutes more is a cause if nothing else is. A doctor who fails says nothing."""
    try:
        seen = [examine(prepared, stalled=stalled)]
        if stalled:
            seen.append(files(open_workspace(prepared.folder)))
    except HardwayError:
        return ()
    roots = diagnose(Report.merge(seen)).roots
    failing = [root for root in roots if root.failing]
    lasting = [root for root in roots if stalled and root.case.symptom and root.case.failures]
    return tuple(stall(root) for root in sorted(failing or lasting, key=lambda root: not root.case.failures)[:MOST])


def _off(prepared: Prepared, past: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Machines that were on once. At first, the bootstrap node alone has etcd."""
    for node in power.wanted(prepared.paths, prepared.cluster):
        if ON[node.role] in past and not prepared.machines.running(node.name):
            first = node.name == prepared.cluster.bootstrap.name and MOVED not in past
            yield node.name, "F31" if first else ""


def _journals(live: LiveCluster, since: timedelta) -> list[Report]:
    """Side by side."""
    names = [node.name for node in live.cluster.nodes if live.machines.running(node.name)]
    begin = f"--since=-{int(since.total_seconds())}s"
    command = ["journalctl", "--no-pager", "--output=short-iso", f"--lines={LINES}", begin]

    def log(name: str) -> Report | None:
        try:
            content = live.machines.run(name, command).output.encode()
        except ToolError:
            return None
        found = scanned_bytes(content, f"{name}, journal")
        return run(LOG, found) if found.sightings else None

    return [report for report in live.pool.map(log, names) if report]


def _final(prepared: Prepared, live: LiveCluster, later: timedelta, *, finished: bool) -> Report:
    if not finished:
        return Report(ran=(), findings=(), skipped={check.name: UNFINISHED for check in READING})
    given = finish.given(prepared, live, seconds=0)
    return run(READING, replace(given, now=given.now + later))
