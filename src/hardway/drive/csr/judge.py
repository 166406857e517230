"""Verdicts over certificate requests: which are the plan's, and why the others are not. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hardway.drive.csr.kinds import KINDS
from hardway.drive.csr.parse import Request
from hardway.drive.csr.pkcs10 import Asked
from hardway.drive.csr.rules import NODE_USER, RULES, Case, Known, listed
from hardway.model.cluster import Cluster, Node
from hardway.model.stages import number

MASTERS, WORKERS = number("masters"), number("workers")  # from which stage on they may come


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    request: str
    uid: str
    signer: str
    user: str
    node: str  # empty if none of the plan
    good: bool
    reason: str
    rule: str = ""

    @property
    def kind(self) -> str:
        return self.signer.rpartition("/")[2]


def judge(request: Request, known: Known) -> Verdict:
    """Whether a request is one of the plan's, and if not, why."""
    kind = next((k for k in KINDS if k.signer == request.signer), None)
    if kind is None:
        return _refused(request, "signer", f"{request.signer} is not a signer of kubelets")
    if request.asked is None or request.flaw:
        return _refused(request, "request", f"the request inside is not sound: {request.flaw}")
    node = _planned(request.asked, known.cluster)
    if node is None:
        named = listed(request.asked.common_names)
        return _refused(request, "node", f"the common name is {named}, which is no master or worker of the plan")
    case = Case(request=request, asked=request.asked, kind=kind, node=node, known=known)
    for rule in RULES:
        if flaw := rule.flaw(case):
            return _refused(request, rule.name, flaw, node.name)
    return Verdict(
        request=request.name,
        uid=request.uid,
        signer=request.signer,
        user=request.user,
        node=node.name,
        good=True,
        reason=f"the {kind.what} certificate of {node.name}, {'by itself' if case.own else 'its first'}, as planned",
    )


def _refused(request: Request, rule: str, reason: str, node: str = "") -> Verdict:
    return Verdict(
        request=request.name,
        uid=request.uid,
        signer=request.signer,
        user=request.user,
        node=node,
        good=False,
        reason=reason,
        rule=rule,
    )


def _planned(asked: Asked, cluster: Cluster) -> Node | None:
    nodes = (*cluster.masters, *cluster.workers)
    return next((n for n in nodes if asked.common_names == (f"{NODE_USER}{n.name}",)), None)


def expected(cluster: Cluster, stage: int) -> frozenset[str]:
    """The nodes whose time has come."""
    nodes = (*(cluster.masters if stage >= MASTERS else ()), *(cluster.workers if stage >= WORKERS else ()))
    return frozenset(node.name for node in nodes)


def judge_all(
    requests: Iterable[Request], cluster: Cluster, *, stage: int, joined: Iterable[str]
) -> tuple[Verdict, ...]:
    """The pending ones, in order; what one verdict approves counts against the next."""
    requests = tuple(requests)
    keys = {key for r in requests if r.state == "approved" for key in _client_key(r, cluster)}
    verdicts = []
    for request in sorted((r for r in requests if r.state == "pending"), key=lambda r: r.name):
        known = Known(
            cluster=cluster, expected=expected(cluster, stage), joined=frozenset(joined), keys=frozenset(keys)
        )
        verdict = judge(request, known)
        verdicts.append(verdict)
        if verdict.good:
            keys.update(_client_key(request, cluster))
    return tuple(verdicts)


def _client_key(request: Request, cluster: Cluster) -> tuple[tuple[str, str], ...]:
    """The node and the key, if it is a client request of a planned node."""
    if request.signer != KINDS[0].signer or request.asked is None:
        return ()
    node = _planned(request.asked, cluster)
    return ((node.name, request.asked.key),) if node else ()
