"""Verdicts over certificate requests: which are the plan's, and why the others are not. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hardway.drive.csr.kinds import KINDS
from hardway.drive.csr.memory import NOTHING, Memory
from hardway.drive.csr.parse import Request
from hardway.drive.csr.pkcs10 import Asked
from hardway.drive.csr.plan import Joining
from hardway.drive.csr.rules import NODE_USER, RULES, Case, Known, listed
from hardway.model.cluster import Node
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
    key: str = ""  # of a first request that is good: what is remembered

    @property
    def kind(self) -> str:
        return self.signer.rpartition("/")[2]


def judge(request: Request, known: Known) -> Verdict:
    """Whether a request is one of the plan's, and if not, why."""
    kind = next((k for k in KINDS if k.signer == request.signer), None)
    if kind is None:
        flaw = f"{request.signer} is not a signer of kubelets" if request.signer else "it names no signer"
        return _refused(request, "signer", flaw)
    if request.asked is None or request.flaw:
        return _refused(request, "request", f"the request inside is not sound: {request.flaw}")
    node = _planned(request.asked, known.plan)
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
        key="" if case.own else case.asked.key,
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


def _planned(asked: Asked, plan: Joining) -> Node | None:
    nodes = (*plan.masters, *plan.workers)
    return next((n for n in nodes if asked.common_names == (f"{NODE_USER}{n.name}",)), None)


def expected(plan: Joining, stage: int) -> frozenset[str]:
    """The nodes whose time has come."""
    nodes = (*(plan.masters if stage >= MASTERS else ()), *(plan.workers if stage >= WORKERS else ()))
    return frozenset(node.name for node in nodes)


def judge_all(
    requests: Iterable[Request], plan: Joining, *, stage: int, joined: Iterable[str], memory: Memory = NOTHING
) -> tuple[Verdict, ...]:
    """The pending ones. Neither their order nor their names matter: what is good together with others is compared."""
    requests = tuple(requests)
    pending = [r for r in requests if r.state == "pending"]
    approved = {key for r in requests if r.state == "approved" for key in first_key(r, plan)}
    known = Known(
        plan=plan,
        expected=expected(plan, stage),
        joined=frozenset(joined),
        keys=frozenset(approved | set(memory.keys.items())),
        replaced=frozenset(memory.replaced),
    )
    good = [r for r in pending if judge(r, known).good]
    known = replace(known, rivals=_rivals(good, plan))
    return tuple(judge(r, known) for r in pending)


def _rivals(requests: Iterable[Request], plan: Joining) -> dict[str, tuple[str, ...]]:
    """The requests of each node that more than one key asks to be."""
    asking: dict[str, dict[str, str]] = {}
    for request in requests:
        for node, key in first_key(request, plan):
            asking.setdefault(node, {})[key] = request.name
    return {node: tuple(names.values()) for node, names in asking.items() if len(names) > 1}


def first_key(request: Request, plan: Joining) -> tuple[tuple[str, str], ...]:
    """The node and the key, if it is a planned node's first request, with the identity that new nodes share."""
    if request.signer != KINDS[0].signer or request.asked is None or request.user.startswith(NODE_USER):
        return ()
    node = _planned(request.asked, plan)
    return ((node.name, request.asked.key),) if node else ()
