"""One look at a cluster's certificate requests, through its API alone: no machine is touched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from hardway.drive.client import Client, Trouble
from hardway.drive.csr import memory
from hardway.drive.csr.approve import CSRS, identity
from hardway.drive.csr.judge import MASTERS, WORKERS, Verdict, judge_all
from hardway.drive.csr.parse import parse
from hardway.drive.csr.plan import Joining, names
from hardway.drive.observe import COMPLETE, NODES


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    verdicts: tuple[Verdict, ...]  # over the pending requests
    away: tuple[str, ...]  # nodes of the plan that have not joined


def look(client: Client, plan: Joining, home: Path, replaced: Iterable[str] = ()) -> Seen | Trouble:
    """`replaced`: nodes that may have another key, though nobody has written that down."""
    nodes, requests, complete = client.items(NODES), client.items(CSRS), client.get(COMPLETE)
    if isinstance(nodes, Trouble):
        return nodes
    if isinstance(requests, Trouble):
        return requests
    if isinstance(complete, Trouble) and complete.kind != "not-found":
        return complete
    joined = {node["metadata"]["name"] for node in nodes}
    known = memory.read(home).of(identity(client))
    verdicts = judge_all(
        map(parse, requests),
        plan,
        stage=WORKERS if _is_complete(complete) else MASTERS,
        joined=joined,
        memory=replace(known, replaced=(*known.replaced, *replaced)),
    )
    return Seen(verdicts=verdicts, away=tuple(name for name in names(plan) if name not in joined))


def _is_complete(found: object) -> bool:
    """bootkube.sh, and the installer's own, write it when the masters carry the cluster. Workers come after that."""
    data = found.get("data") if isinstance(found, dict) else None
    return isinstance(data, dict) and data.get("status") == "complete"
