"""Approves a certificate request that was judged to be the plan's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardway.drive.client import Client, Object, Trouble, path
from hardway.drive.csr import memory
from hardway.drive.csr.judge import Verdict
from hardway.drive.csr.parse import parse

CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
IDENTITY = "/api/v1/namespaces/kube-system"  # its uid is the cluster's
REASON = "HardwayPlan"


def settle(client: Client, home: Path, verdict: Verdict) -> str:
    """Approve, and keep in `home` which key became the node. What stood in the way; empty if nothing did."""
    if verdict.key:
        if not (cluster := identity(client)):
            return "the API does not tell which cluster this is"
        if not memory.note(home, cluster, verdict.node, verdict.key):
            return f"{verdict.request}: another key was approved for {verdict.node} meanwhile"
    return str(approve(client, verdict) or "")


def identity(client: Client) -> str:
    """Which cluster this is; empty while it has no such namespace yet."""
    found = client.get(IDENTITY)
    metadata = None if isinstance(found, Trouble) else found.get("metadata")
    return str(metadata.get("uid", "")) if isinstance(metadata, dict) else ""


def approve(client: Client, verdict: Verdict) -> Trouble | None:
    """A request's content never changes, but its name can be taken again: the one judged is the one approved."""
    item = client.get(path(CSRS, verdict.request))
    if isinstance(item, Trouble):
        return item
    request = parse(item)
    if request.flaw or request.state != "pending" or request.uid != verdict.uid:
        return Trouble(kind="conflict", message=f"{verdict.request} has changed meanwhile")
    answer = client.replace(path(CSRS, verdict.request, sub="approval"), _approved(item, verdict))
    return answer if isinstance(answer, Trouble) else None


def _approved(item: Object, verdict: Verdict) -> Mapping[str, Any]:
    condition = {"type": "Approved", "status": "True", "reason": REASON, "message": verdict.reason}
    status = dict(item.get("status") or {})
    return {**item, "status": {**status, "conditions": [*status.get("conditions", ()), condition]}}
