"""From what was seen to what is to be done: pure, so that the same picture always gives the same steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hardway.drive import conditions, growth
from hardway.drive.csr.judge import MASTERS, WORKERS, Verdict, judge_all
from hardway.drive.growth import Step, View
from hardway.drive.milestones.row import Milestone
from hardway.drive.milestones.table import BY_NAME, TABLE
from hardway.drive.observation import Observation
from hardway.model.cluster import Cluster, Node
from hardway.model.stages import number
from hardway.staticpods.masters import Name, Program, by_hand

CONTROL_PLANE, PIVOT, LAST = number("control-plane"), number("pivot"), number("convergence")
BOOTSTRAP_LEFT = "etcd-bootstrap-gone"


Kind = Literal["start", "stop", "approve", "member", "lay", "drop", "retire", "unproxy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One step that can be repeated, and why it is taken."""

    kind: Kind
    node: str
    text: str  # for people: what is done, and why
    verdict: Verdict | None = None  # approve
    step: Step | None = None  # member
    program: Name | None = None  # lay
    initial_cluster: str = ""  # lay etcd


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """`waiting` is the first milestone that is missing, and what it lacks; None: all up to `until` are reached."""

    reached: tuple[str, ...]
    waiting: Milestone | None
    missing: str
    actions: tuple[Action, ...]
    refused: tuple[Verdict, ...]  # requests that are not the plan's


def decide(o: Observation, cluster: Cluster, until: int = LAST) -> Decision:
    """`until`: the last stage to go to. Requests that are not the plan's are shown, and nobody answers them."""
    rows = [row for row in TABLE if int(row.stage) <= until]
    waiting = next((row for row in rows if not row.reached(o, cluster)), None)
    position = rows.index(waiting) if waiting else len(rows)
    stage = int(waiting.stage) if waiting else until
    when = _node_stage(o, cluster, stage, until)
    verdicts = judge_all(o.requests, cluster, stage=when, joined=o.nodes, memory=o.memory)
    return Decision(
        reached=tuple(row.name for row in rows[:position]),
        waiting=waiting,
        missing=waiting.missing(o, cluster) if waiting else "",
        actions=tuple(_actions(o, cluster, stage, until, verdicts)) if waiting else (),
        refused=tuple(v for v in verdicts if not v.good),
    )


def _node_stage(o: Observation, cluster: Cluster, stage: int, until: int) -> int:
    """Workers may come as soon as the masters carry the cluster and no new connection goes to the bootstrap node: they
    need not wait for it to go, nor for a master that is away for a moment afterwards."""
    carried = o.complete and not o.in_balancer(cluster.bootstrap.name)
    return max(stage, WORKERS) if carried and until >= WORKERS else stage


def _actions(
    o: Observation, cluster: Cluster, stage: int, until: int, verdicts: tuple[Verdict, ...]
) -> Iterator[Action]:
    starting = tuple(_machines(o, cluster, stage, until))
    yield from starting
    off = {action.node for action in starting}  # what one of them asked for is of no use to it any more
    yield from (_approve(v) for v in verdicts if v.good and v.node not in off)
    if stage >= CONTROL_PLANE:
        yield from _control_plane(o, cluster)
    if stage >= PIVOT:
        yield from _pivot(o, cluster)
    if any(row.name == "network" and row.available for row in o.operators):
        for name in conditions.proxied(o, cluster):
            yield Action(kind="unproxy", node=name, text=f"kube-proxy leaves {name}, with its rules")


def _machines(o: Observation, cluster: Cluster, stage: int, until: int) -> Iterator[Action]:
    """What should be on and is not. A master whose disk has data of etcd is on, whatever else is missing: without it
    the store may have no majority."""
    wanted: list[Node] = [cluster.bootstrap] if _needs_bootstrap(o, cluster) else []
    wanted += [node for node in cluster.masters if stage >= MASTERS or node.name in o.stored]
    wanted += cluster.workers if _node_stage(o, cluster, stage, until) >= WORKERS else ()
    for node in wanted:
        if node.name not in o.running:
            yield Action(kind="start", node=node.name, text=f"{node.name} is off and its stage has come")


def _needs_bootstrap(o: Observation, cluster: Cluster) -> bool:
    """A bootstrap node whose member has left is never started again. Before that, one that the load balancer has let
    go of is started again only where the store is silent: its vote may be the one that is missing."""
    if BOOTSTRAP_LEFT in o.past or o.complete:
        return False
    silent = o.etcd is None and bool(o.stored)
    return silent or o.in_balancer(cluster.bootstrap.name)


def _approve(verdict: Verdict) -> Action:
    text = f"request {verdict.request} approved: {verdict.reason}"
    return Action(kind="approve", node=verdict.node, text=text, verdict=verdict)


def _control_plane(o: Observation, cluster: Cluster) -> Iterator[Action]:
    if o.etcd is None:
        return
    if "etcd" not in cluster.operators:
        step = growth.decide(o.etcd, cluster)
        if _may(step, o, cluster):
            yield _member(step)
    for node in cluster.masters:
        for row in by_hand(cluster):
            if row.name != "etcd" and _laid_next(o, cluster, o.etcd, node, row):
                text = f"{row.name} on {node.name}: everything that it needs there runs"
                yield Action(kind="lay", node=node.name, text=text, program=row.name)


def _may(step: Step, o: Observation, cluster: Cluster) -> bool:
    """A member is only added for a master that can start it; the last one leaves when its API server has."""
    if step.kind in ("add", "start"):
        return o.node_ready(step.node)
    if step.kind in ("move-leader", "remove"):
        return all(BY_NAME[name].reached(o, cluster) for name in ("apis", "complete", "balancer", "drained"))
    return step.acts


def _member(step: Step) -> Action:
    if step.kind == "start":
        return Action(kind="lay", node=step.node, text=step.why, program="etcd", initial_cluster=step.initial_cluster)
    return Action(kind="member", node=step.node, text=step.why, step=step)


def _laid_next(o: Observation, cluster: Cluster, view: View, node: Node, row: Program) -> bool:
    if not o.node_ready(node.name) or row.manifest.rpartition("/")[2] in o.manifests.get(node.name, frozenset()):
        return False
    member = view.of(cluster, node)
    if member is None or member.learner or not view.healthy(member):
        return False
    return "kube-apiserver" not in row.after or node.name in o.serving


def _pivot(o: Observation, cluster: Cluster) -> Iterator[Action]:
    """Out of the load balancer, then its API server ends in peace, then its member leaves, then it is switched off."""
    name = cluster.bootstrap.name
    if not o.complete or o.api:
        return
    if o.in_balancer(name):
        yield Action(kind="drop", node=name, text=f"no new connection goes to {name}")
    elif not BY_NAME["drained"].reached(o, cluster):
        yield Action(kind="retire", node=name, text=f"{name} gives up its static pods, except etcd")
    elif name in o.running and BY_NAME["etcd-bootstrap-gone"].reached(o, cluster):
        yield Action(kind="stop", node=name, text=f"{name} is no longer needed")
