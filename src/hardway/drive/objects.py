"""Objects of the API as the few values that matter here. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hardway.drive.client import LONGEST, Object
from hardway.drive.observation import NodeSeen, OperatorSeen, PodSeen, VersionSeen

WRONG = {"Available": "False", "Degraded": "True", "Progressing": "True"}  # conditions of a ClusterOperator
SAID = 10_000  # characters
ROLE = "node-role.kubernetes.io/"
HEARTBEATS = "kube-node-lease"
SERVER = "apiserver.kubernetes.io/identity"  # a label


def _conditions(item: Object) -> Mapping[str, Mapping[str, Any]]:
    return {c["type"]: c for c in (item.get("status") or {}).get("conditions") or ()}


def _is(conditions: Mapping[str, Mapping[str, Any]], kind: str) -> bool:
    return conditions.get(kind, {}).get("status") == "True"


def _words(condition: Mapping[str, Any]) -> str:
    words = (condition.get("reason"), condition.get("message"))
    return ": ".join(str(word) for word in words if word)[:LONGEST]


def node(item: Object) -> NodeSeen:
    conditions = _conditions(item)
    ready = _is(conditions, "Ready")
    labels = item["metadata"].get("labels") or {}
    return NodeSeen(
        ready=ready,
        reason="" if ready else _words(conditions.get("Ready", {})),
        roles=frozenset(label for label in labels if label.startswith(ROLE)),
    )


def pods(items: Iterable[Object]) -> dict[str, PodSeen]:
    return {f"{i['metadata']['namespace']}/{i['metadata']['name']}": _pod(i) for i in items}


def _pod(item: Object) -> PodSeen:
    conditions = _conditions(item)
    ready = _is(conditions, "Ready")
    return PodSeen(ready=ready, reason="" if ready else _waiting(item) or _words(conditions.get("Ready", {})))


def _waiting(item: Object) -> str:
    """What a container is stuck at says more than that it is not ready."""
    for state in (item.get("status") or {}).get("containerStatuses") or ():
        if found := (state.get("state") or {}).get("waiting"):
            return _words(found)
    return ""


def leases(items: Iterable[Object]) -> dict[str, str]:
    """Who leads: the holder of each. That a node or an API server is alive is said by a lease too, and left out."""
    found = ((item["metadata"], item.get("spec") or {}) for item in items)
    return {
        f"{metadata['namespace']}/{metadata['name']}": str(spec.get("holderIdentity") or "")
        for metadata, spec in found
        if metadata["namespace"] != HEARTBEATS and SERVER not in (metadata.get("labels") or {})
    }


def operator(item: Object) -> OperatorSeen:
    conditions = _conditions(item)
    versions = {v["name"]: v["version"] for v in (item.get("status") or {}).get("versions") or ()}
    available, degraded = _is(conditions, "Available"), _is(conditions, "Degraded")
    telling = "Available" if not available else "Degraded" if degraded else "Progressing"
    return OperatorSeen(
        name=item["metadata"]["name"],
        available=available,
        degraded=degraded,
        version=versions.get("operator", ""),
        progressing=_is(conditions, "Progressing"),
        message=_words(conditions.get(telling, {})),
        said=_said(conditions),
    )


def _said(conditions: Mapping[str, Mapping[str, Any]]) -> str:
    """A vendor's operator puts the cause at the end of a long sentence."""
    told = [c for name, wrong in WRONG.items() if (c := conditions.get(name, {})).get("status") == wrong]
    return "\n".join(f"{c.get('reason', '')}: {c.get('message', '')}" for c in told)[:SAID]


def version(item: Object) -> VersionSeen:
    history = (item.get("status") or {}).get("history") or ()
    conditions = _conditions(item)
    newest = history[0] if history else {}
    telling = "Failing" if _is(conditions, "Failing") else "Progressing"
    return VersionSeen(
        version=newest.get("version", ""),
        image=newest.get("image", ""),
        completed=newest.get("state") == "Completed",
        syncing=bool(history),
        message=_words(conditions.get(telling, {})),
    )
