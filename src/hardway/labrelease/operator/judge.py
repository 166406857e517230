"""From the cluster's state to the conditions of a ClusterOperator. No input or output: plain objects in and out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardway.labrelease.operator.table import Row

Object = Mapping[str, Any]
MASTER = "node-role.kubernetes.io/master"


@dataclass(frozen=True)
class State:
    """What was read of the cluster."""

    nodes: Sequence[Object]
    pods: Sequence[Object]
    readyz: Mapping[str, bool]  # the API server's checks that were asked for


def problems(row: Row, state: State) -> list[str]:
    """Everything that is not as it should be, in words."""
    nodes = [node for node in state.nodes if row.nodes == "all" or MASTER in node["metadata"].get("labels", {})]
    if not nodes:
        return [f"there are no {'nodes' if row.nodes == 'all' else 'masters'}"]
    found = []
    for name in sorted(node["metadata"]["name"] for node in nodes):
        if not any(_is_of(row, name, pod) and ready(pod) for pod in state.pods):
            found.append(f"{row.pod} is not Ready on {name}")
    if row.nodes_ready:
        found += sorted(f"node {node['metadata']['name']} is not Ready" for node in nodes if not ready(node))
    if row.readyz and not state.readyz.get(row.readyz, False):
        found.append(f"the API server's check {row.readyz} fails")
    return found


def _is_of(row: Row, node: str, pod: Object) -> bool:
    about = pod["metadata"]
    fits = about["namespace"] in row.namespaces and about["name"].startswith(f"{row.pod}-")
    return fits and bool(pod["spec"].get("nodeName") == node)


def ready(thing: Object) -> bool:
    conditions = thing.get("status", {}).get("conditions", ())
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def status(row: Row, state: State, *, before: Object, version: str, now: str) -> dict[str, Any]:
    """The status to report. The version is named once all is well, and then stays: that is what CVO waits for."""
    wrong = problems(row, state)
    versions = before.get("versions") or []
    reached = any(v == {"name": "operator", "version": version} for v in versions)
    if not wrong:
        versions = [{"name": "operator", "version": version}]
    words = "; ".join(wrong)
    reason = "AsExpected" if not wrong else "NotReady"
    wanted = {
        "Available": (not wrong, reason, words or f"{row.pod} is Ready where it should be"),
        "Progressing": (bool(wrong) and not reached, reason, words),
        "Degraded": (bool(wrong) and reached, reason, words),
        "Upgradeable": (True, "AsExpected", ""),
    }
    earlier = {c["type"]: c for c in before.get("conditions") or ()}
    conditions = [_condition(kind, *said, earlier.get(kind), now) for kind, said in wanted.items()]
    return {"conditions": conditions, "versions": versions}


def _condition(kind: str, value: bool, reason: str, message: str, before: Object | None, now: str) -> dict[str, str]:
    said = "True" if value else "False"
    since = before["lastTransitionTime"] if before and before["status"] == said else now
    return {"type": kind, "status": said, "reason": reason, "message": message, "lastTransitionTime": since}
