"""Reads the world: every question that a turn of the loop asks, and what the answers come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardway.drive import joining, objects
from hardway.drive.client import Object, Trouble, path
from hardway.drive.csr import memory
from hardway.drive.csr.approve import CSRS, identity
from hardway.drive.csr.parse import parse
from hardway.drive.etcd import Member, Status
from hardway.drive.growth import View
from hardway.drive.live import LiveCluster
from hardway.drive.observation import Observation
from hardway.model.errors import ToolError
from hardway.staticpods.masters import MANIFESTS, PROGRAMS, pods

NODES = "/api/v1/nodes"
PODS = "/api/v1/pods"
CONFIG_MAPS = "/api/v1/configmaps"
LEASES = "/apis/coordination.k8s.io/v1/leases"
OPERATORS = "/apis/config.openshift.io/v1/clusteroperators"
VERSION = "/apis/config.openshift.io/v1/clusterversions/version"
COMPLETE = path(CONFIG_MAPS, "bootstrap", namespace="kube-system")
APPLIED = "/opt/openshift/.bootkube/manifests"  # bootkube.sh's own marker


def observe(live: LiveCluster) -> Observation:
    """One picture. Whatever does not answer is missing in it; nothing of it is an error."""
    names = tuple(live.apis)
    every = [node.name for node in live.cluster.nodes]
    states = live.pool.map(live.machines.running, every)
    running = frozenset(name for name, on in zip(every, states, strict=True) if on)
    asked = [name for name in names if name in running]  # one that is off would only cost time
    answers = live.pool.map(lambda n: live.members[n].status(), asked)
    ready = live.pool.map(lambda n: live.apis[n].text("/readyz"), asked)
    listed = live.pool.map(lambda n: _manifests(live, n), asked)
    api = _api(live)
    health, statuses = dict(zip(asked, ready, strict=True)), dict(zip(asked, answers, strict=True))
    return Observation(
        serving=frozenset(n for n, said in health.items() if not isinstance(said, Trouble)),
        answering=frozenset(n for n, said in health.items() if not _silent(said)),
        running=running,
        stored=frozenset(name for name in names if live.machines.keeps_data(name)),
        past=live.machines.remembered(),
        balanced={name: live.machines.balancer(name) for name in names},
        manifests=dict(zip(asked, listed, strict=True)),
        applied=live.cluster.bootstrap.name in running and _exists(live, live.cluster.bootstrap.name, APPLIED),
        **api,
        **_etcd(live, statuses, complete=api.get("complete", False)),
    )


def _silent(said: str | Trouble) -> bool:
    return isinstance(said, Trouble) and said.kind == "unanswered"


def _exists(live: LiveCluster, node: str, file: str) -> bool:
    try:
        return live.machines.run(node, ["test", "-e", file]).ok
    except ToolError:
        return False


def _manifests(live: LiveCluster, node: str) -> frozenset[str]:
    try:
        return frozenset(live.machines.run(node, ["ls", "-A", MANIFESTS]).output.split())
    except ToolError:
        return frozenset()


def _api(live: LiveCluster) -> dict[str, Any]:
    nodes = live.api.items(NODES)
    if isinstance(nodes, Trouble):
        return {"api": nodes.message}
    spaces = dict.fromkeys(pods(live.cluster, row.name).partition("/")[0] for row in PROGRAMS)
    collections = (CSRS, OPERATORS, LEASES, *(path(PODS, namespace=space) for space in spaces))
    requests, operators, leases, *found = live.pool.map(lambda where: _items(live, where), collections)
    complete, version = live.pool.map(lambda where: _object(live, where), (COMPLETE, VERSION))
    return {
        "api": "",
        "nodes": {n["metadata"]["name"]: objects.node(n) for n in nodes},
        "requests": tuple(parse(item) for item in requests),
        "joining_over": joining.over(live.assets),
        "memory": memory.read(live.assets).of(identity(live.api)),
        "pods": {name: pod for items in found for name, pod in objects.pods(items).items()},
        "leases": objects.leases(leases),
        "complete": (complete.get("data") or {}).get("status") == "complete",
        "operators": tuple(objects.operator(item) for item in operators),
        "version": objects.version(version),
    }


def _items(live: LiveCluster, collection: str) -> tuple[Object, ...]:
    found = live.api.items(collection)
    return () if isinstance(found, Trouble) else found


def _object(live: LiveCluster, where: str) -> Object:
    found = live.api.get(where)
    return {} if isinstance(found, Trouble) else found


def _etcd(live: LiveCluster, answers: Mapping[str, Status | Trouble], *, complete: bool) -> dict[str, Any]:
    """The list as the leader's side has it: a member that was cut off may still show an old one."""
    statuses = {name: said for name, said in answers.items() if isinstance(said, Status)}
    well = frozenset(name for name, status in statuses.items() if status.healthy)
    leading = [name for name, s in statuses.items() if s.leader == s.id]
    asked = [*leading, *(n for n in statuses if n not in leading and not statuses[n].learner)]
    members = _members(live, asked) if asked else _silence(answers)
    if isinstance(members, Trouble):
        return {"etcd_trouble": members.message, "etcd_well": well}
    view = View(members=members, statuses={s.id: s for s in statuses.values()}, complete=complete)
    return {"etcd": view, "etcd_well": well}


def _silence(answers: Mapping[str, Status | Trouble]) -> Trouble:
    """Why nobody answers: the first reason is the bootstrap node's."""
    troubles = [said for said in answers.values() if isinstance(said, Trouble)]
    return troubles[0] if troubles else Trouble(kind="unanswered", message="no member runs")


def _members(live: LiveCluster, names: list[str]) -> tuple[Member, ...] | Trouble:
    said: tuple[Member, ...] | Trouble = Trouble(kind="unanswered", message="no member answers")
    for name in names:
        said = live.members[name].members()
        if not isinstance(said, Trouble):
            return said
    return said
