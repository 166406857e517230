"""Whether masters take workloads: the Scheduler's word, put onto the nodes as the machine-config controller does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hardway.labrelease.operator.api import Api
from hardway.labrelease.operator.judge import MASTER

SCHEDULER, NODES = "/apis/config.openshift.io/v1/schedulers/cluster", "/api/v1/nodes"
WORKER = "node-role.kubernetes.io/worker"


def change(node: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a master that takes workloads lacks: the workers' role, and no taint. None if it lacks nothing."""
    labels, taints = node["metadata"].get("labels", {}), node.get("spec", {}).get("taints") or []
    kept = [taint for taint in taints if taint["key"] != MASTER]
    if MASTER not in labels or (WORKER in labels and kept == taints):
        return None
    return {"metadata": {"labels": {WORKER: ""}}, "spec": {"taints": kept or None}}


def open_masters(api: Api, nodes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Only where the Scheduler wants it; the masters that were changed."""
    scheduler = api.find(SCHEDULER) or {}
    if not scheduler.get("spec", {}).get("mastersSchedulable"):
        return []
    found = {node["metadata"]["name"]: patch for node in nodes if (patch := change(node))}
    for name, patch in found.items():
        api.patch(f"{NODES}/{name}", patch)
    return [f"{name} takes workloads" for name in found]
