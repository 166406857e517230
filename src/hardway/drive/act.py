"""Carries actions out. Each can be carried out twice: a run that was killed in the middle begins again here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from hardway.drive.client import Trouble
from hardway.drive.csr.approve import settle
from hardway.drive.csr.void import void
from hardway.drive.decide import Action, Kind
from hardway.drive.growth import Step
from hardway.drive.live import LiveCluster
from hardway.drive.machines import Asked, ByHand, Files
from hardway.model.cluster import Node
from hardway.model.errors import ToolError
from hardway.staticpods import kube_proxy, masters
from hardway.staticpods.paths import ETCD_DATA
from hardway.staticpods.pods import retired

PATIENCE = (
    ("unhealthy cluster", "etcd requires that every member has been connected for five seconds"),
    ("in sync with leader", "etcd reports that the learner has not caught up yet"),
    ("re-configuration failed", "etcd reports that too few members are started"),
)
"""What etcd answers while it is right to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    trouble: str = ""  # what stood in the way
    asks: Asked | None = None  # a person has to do it, and `trouble` says what

    @property
    def kind(self) -> Literal["acted", "asked", "trouble"]:
        return "asked" if self.asks else "trouble" if self.trouble else "acted"


def act(live: LiveCluster, action: Action) -> Outcome:
    """What the next observation shows is what counts."""
    try:
        return Outcome(trouble=ACTS[action.kind](live, action))
    except ByHand as error:
        return Outcome(trouble=str(error), asks=error.what)
    except ToolError as error:
        return Outcome(trouble=str(error))


def _start(live: LiveCluster, action: Action) -> str:
    """A node with data of etcd has joined, and may be the one that the API needs; the bootstrap node never joins."""
    node, machines = action.node, live.machines
    joins = node != live.cluster.bootstrap.name and not machines.keeps_data(node)
    if joins and not machines.running(node) and (trouble := void(live, node)):
        return trouble
    machines.start(node)
    return ""


def _stop(live: LiveCluster, action: Action) -> str:
    live.machines.stop(action.node)
    return ""


def _drop(live: LiveCluster, action: Action) -> str:
    live.machines.drop_backend(action.node)
    return ""


def _retire(live: LiveCluster, action: Action) -> str:
    done = live.machines.run(action.node, ["rm", "-f", *retired()])
    return "" if done.ok else done.errors.strip()


def _unproxy(live: LiveCluster, action: Action) -> str:
    done = live.machines.run(action.node, kube_proxy.removal(live.cluster))
    return "" if done.ok else done.errors.strip()


def _approve(live: LiveCluster, action: Action) -> str:
    assert action.verdict is not None
    return settle(live.api, live.assets, action.verdict)


def _member(live: LiveCluster, action: Action) -> str:
    assert action.step is not None
    trouble = _asked(live, action.step)
    known = next((text for words, text in PATIENCE if trouble and words in trouble.message), "")
    return known or str(trouble or "")


def _asked(live: LiveCluster, step: Step) -> Trouble | None:
    """Through the leader: it alone can hand its office over, and it knows what is true."""
    etcd = live.members[_leader(live)]
    if step.kind == "add":
        return etcd.add_learner(step.peer)
    if step.kind == "promote":
        return etcd.promote(step.member)
    if step.kind == "move-leader":
        return etcd.move_leader(step.member)
    return etcd.remove(step.member)


def _leader(live: LiveCluster) -> str:
    for name, etcd in live.members.items():
        status = etcd.status()
        if not isinstance(status, Trouble) and status.leader == status.id:
            return name
    raise ToolError("etcd has no leader that answers")


def _lay(live: LiveCluster, action: Action) -> str:
    """Files first, the pod last: the kubelet starts it as soon as it sees it."""
    assert action.program is not None
    node = _node(live, action.node)
    row = masters.BY_NAME[action.program]
    content = masters.manifest(action.program, live.cluster, node, action.initial_cluster)
    if action.program == "etcd" and not _fresh(live, node, row.manifest, content):
        return ""
    live.machines.put_files(node.name, files_of(live, node))
    live.machines.put_files(node.name, {row.manifest: (masters.SECRET, content)})
    return ""


def _fresh(live: LiveCluster, node: Node, manifest: str, content: bytes) -> bool:
    """Whether etcd's pod has to be laid. What an earlier member left behind would make it exit: it was removed."""
    there = live.machines.run(node.name, ["cat", manifest])
    if there.ok:
        return there.output.encode() != content
    cleared = live.machines.run(node.name, ["rm", "-rf", f"{ETCD_DATA}/member"])
    if not cleared.ok:
        raise ToolError(f"{node.name}: {cleared.errors.strip()}")
    return True


def files_of(live: LiveCluster, node: Node) -> Files:
    return {row.path: (row.mode, live.asset(row.source)) for row in masters.files(live.cluster, node)}


def _node(live: LiveCluster, name: str) -> Node:
    return next(n for n in live.cluster.nodes if n.name == name)


ACTS: Mapping[Kind, Callable[[LiveCluster, Action], str]] = {
    "start": _start,
    "stop": _stop,
    "drop": _drop,
    "retire": _retire,
    "unproxy": _unproxy,
    "approve": _approve,
    "member": _member,
    "lay": _lay,
}
