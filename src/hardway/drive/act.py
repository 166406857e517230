"""Carries actions out. Each can be carried out twice: a run that was killed in the middle begins again here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hardway.drive.action import Action, Kind
from hardway.drive.client import Trouble
from hardway.drive.csr.approve import approve
from hardway.drive.growth import Step
from hardway.drive.live import World
from hardway.drive.machines import Files
from hardway.model.cluster import Node
from hardway.model.errors import ToolError
from hardway.staticpods import masters
from hardway.staticpods.paths import ETCD_DATA
from hardway.staticpods.pods import retired

PATIENCE = (
    ("unhealthy cluster", "etcd wants every member to have been connected for five seconds first"),
    ("in sync with leader", "etcd finds that the learner has not caught up yet"),
    ("re-configuration failed", "etcd finds that too few members are started"),
)
"""What etcd answers while it is right to wait."""


def act(world: World, action: Action) -> str:
    """What stood in the way; empty if nothing did. What the next observation shows is what counts."""
    try:
        return ACTS[action.kind](world, action)
    except ToolError as error:
        return str(error)


def _start(world: World, action: Action) -> str:
    world.hands.start(action.node)
    return ""


def _stop(world: World, action: Action) -> str:
    world.hands.stop(action.node)
    return ""


def _drop(world: World, action: Action) -> str:
    world.hands.drop_backend(action.node)
    return ""


def _retire(world: World, action: Action) -> str:
    done = world.hands.run(action.node, ["rm", "-f", *retired()])
    return "" if done.ok else done.errors.strip()


def _approve(world: World, action: Action) -> str:
    assert action.verdict is not None
    return str(approve(world.api, action.verdict) or "")


def _member(world: World, action: Action) -> str:
    assert action.step is not None
    trouble = _asked(world, action.step)
    known = next((text for words, text in PATIENCE if trouble and words in trouble.message), "")
    return known or str(trouble or "")


def _asked(world: World, step: Step) -> Trouble | None:
    """Through the leader: it alone can hand its office over, and it knows what is true."""
    etcd = world.members[_leader(world)]
    if step.kind == "add":
        return etcd.add_learner(step.peer)
    if step.kind == "promote":
        return etcd.promote(step.member)
    if step.kind == "move-leader":
        return etcd.move_leader(step.member)
    return etcd.remove(step.member)


def _leader(world: World) -> str:
    for name, etcd in world.members.items():
        status = etcd.status()
        if not isinstance(status, Trouble) and status.leader == status.id:
            return name
    raise ToolError("etcd has no leader that answers")


def _lay(world: World, action: Action) -> str:
    """Files first, the pod last: the kubelet starts it as soon as it sees it."""
    assert action.program is not None
    node = _node(world, action.node)
    row = masters.BY_NAME[action.program]
    content = masters.manifest(action.program, world.cluster, node, action.initial_cluster)
    if action.program == "etcd" and not _fresh(world, node, row.manifest, content):
        return ""
    world.hands.put_files(node.name, files_of(world, node))
    world.hands.put_files(node.name, {row.manifest: (masters.SECRET, content)})
    return ""


def _fresh(world: World, node: Node, manifest: str, content: bytes) -> bool:
    """Whether etcd's pod has to be laid. What an earlier member left behind would make it exit: it was removed."""
    there = world.hands.run(node.name, ["cat", manifest])
    if there.ok:
        return there.output.encode() != content
    cleared = world.hands.run(node.name, ["rm", "-rf", f"{ETCD_DATA}/member"])
    if not cleared.ok:
        raise ToolError(f"{node.name}: {cleared.errors.strip()}")
    return True


def files_of(world: World, node: Node) -> Files:
    return {row.path: (row.mode, world.asset(row.source)) for row in masters.files(world.cluster, node)}


def _node(world: World, name: str) -> Node:
    return next(n for n in world.cluster.nodes if n.name == name)


ACTS: Mapping[Kind, Callable[[World, Action], str]] = {
    "start": _start,
    "stop": _stop,
    "drop": _drop,
    "retire": _retire,
    "approve": _approve,
    "member": _member,
    "lay": _lay,
}
