"""Carries verdicts over certificate requests out: approves what is good, denies the rest if told to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hardway.drive.client import Client, Object, Trouble, path
from hardway.drive.csr.judge import Verdict, judge_all
from hardway.drive.csr.parse import parse
from hardway.model.cluster import Cluster

CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
NODES = "/api/v1/nodes"
REASON = "HardwayPlan"
Outcome = Literal["approved", "denied", "left"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A verdict and what became of it; `trouble` if the API would not have it."""

    verdict: Verdict
    outcome: Outcome
    trouble: Trouble | None = None


def pending(client: Client, cluster: Cluster, *, stage: int) -> tuple[Verdict, ...] | Trouble:
    """Verdicts over all requests that nobody has answered yet."""
    items, nodes = client.items(CSRS), client.items(NODES)
    if isinstance(items, Trouble):
        return items
    if isinstance(nodes, Trouble):
        return nodes
    joined = [node["metadata"]["name"] for node in nodes]
    return judge_all([parse(item) for item in items], cluster, stage=stage, joined=joined)


def approve(client: Client, cluster: Cluster, *, stage: int, deny: bool = False) -> tuple[Settled, ...] | Trouble:
    verdicts = pending(client, cluster, stage=stage)
    if isinstance(verdicts, Trouble):
        return verdicts
    return tuple(settle(client, verdict, deny=deny) for verdict in verdicts)


def settle(client: Client, verdict: Verdict, *, deny: bool = False) -> Settled:
    if not verdict.good and not deny:
        return Settled(verdict=verdict, outcome="left")
    answer = _answer(client, verdict)
    if isinstance(answer, Trouble):
        return Settled(verdict=verdict, outcome="left", trouble=answer)
    return Settled(verdict=verdict, outcome="approved" if verdict.good else "denied")


def _answer(client: Client, verdict: Verdict) -> Object | Trouble:
    """A request's content never changes, but its name can be taken again: the one judged is the one answered."""
    item = client.get(path(CSRS, verdict.request))
    if isinstance(item, Trouble):
        return item
    request = parse(item)
    if request.state != "pending" or request.uid != verdict.uid:
        return Trouble(kind="conflict", message=f"{verdict.request} has changed meanwhile")
    return client.replace(path(CSRS, verdict.request, sub="approval"), _with_condition(item, verdict))


def _with_condition(item: Object, verdict: Verdict) -> Mapping[str, Any]:
    condition = {
        "type": "Approved" if verdict.good else "Denied",
        "status": "True",
        "reason": REASON,
        "message": verdict.reason,
    }
    status = dict(item.get("status") or {})
    return {**item, "status": {**status, "conditions": [*status.get("conditions", ()), condition]}}
