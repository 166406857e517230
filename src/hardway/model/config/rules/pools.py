"""How many machines, and of which kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_CONTROL = "controlPlane.replicas"
_MOST_NODES = 5000  # what Kubernetes is built for
_TESTED_WORKERS = 500  # what OpenShift with OVN-Kubernetes is tested with


def _control_plane(draft: Draft) -> Iterator[Flaw]:
    masters = draft.control_plane.replicas
    if masters < 1:
        yield error(_CONTROL, f"is {masters}: a cluster needs a control plane", "write 3, or 1 for a single node")
    elif masters == 2:
        message = "is 2: etcd needs both for a majority, so losing either one stops the cluster, sooner than with one"
        yield warn(_CONTROL, message, "write 1 or 3")
    elif masters % 2 == 0:
        message = f"is {masters}: etcd survives the loss of {(masters - 1) // 2}, no more than with {masters - 1}"
        yield warn(_CONTROL, message, "write 3 or 5")
    elif masters > 5:
        yield warn(_CONTROL, f"is {masters}: every write waits for {masters // 2 + 1} disks", "write 3 or 5")


def _single(draft: Draft) -> Iterator[Flaw]:
    if draft.control_plane.replicas == 1 and draft.workers > 0:
        message = "is 1 with workers: when that machine is down the workers have no control plane"
        yield warn(_CONTROL, message, "write 3 control planes, or no workers")


def _workers(draft: Draft) -> Iterator[Flaw]:
    for pool in draft.compute:
        path = f"{pool.path}.replicas"
        if pool.replicas < 0:
            yield error(path, f"is {pool.replicas}: a number of machines cannot be negative", "write 0 or more")
        elif draft.control_plane.replicas + pool.replicas > _MOST_NODES:
            message = f"makes a cluster of more than {_MOST_NODES} nodes, the limit of Kubernetes"
            yield error(path, message, f"write {_TESTED_WORKERS} at most")
        elif pool.replicas > _TESTED_WORKERS:
            message = f"is {pool.replicas}: OpenShift is tested with {_TESTED_WORKERS} nodes on OVN-Kubernetes"
            yield warn(path, message, f"write {_TESTED_WORKERS} at most")


def _names(draft: Draft) -> Iterator[Flaw]:
    seen: Counter[str] = Counter()
    for pool in draft.compute:
        seen[pool.name] += 1
        if pool.name != "worker":
            called = f"is called {pool.name!r}" if pool.name else "has no name"
            yield error(f"{pool.path}.name", f"{called}; on none there is one pool, worker", "write name: worker")
        elif seen[pool.name] == 2:
            yield error(f"{pool.path}.name", "is the second pool named worker", "join the two: add their replicas")


def _architecture(draft: Draft) -> Iterator[Flaw]:
    control, payload = draft.control_plane.architecture, draft.release_architecture
    for pool in (draft.control_plane, *draft.compute):
        path = f"{pool.path}.architecture"
        if pool.architecture != control:
            message = f"is {pool.architecture}, the control plane's is {control}: on none all machines are alike"
            yield error(path, message, f"write {control}")
        elif payload not in ("multi", pool.architecture):
            message = f"is {pool.architecture}, but the release holds images for {payload} only"
            yield error(path, message, f"write {payload}, or choose a release for {pool.architecture}")


RULES = (
    Rule("pool.control-plane", ("controlPlane.replicas",), _control_plane),
    Rule("pool.single", ("controlPlane.replicas", "compute"), _single),
    Rule("pool.workers", ("controlPlane.replicas",), _workers),
    Rule("pool.name", (), _names),
    Rule("pool.architecture", ("controlPlane.architecture", "compute"), _architecture),
)
