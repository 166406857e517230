"""How a cluster on libvirt or on machines of its owner's stands: looked at, and nothing changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from hardway.drive import record
from hardway.drive.milestones.table import BY_NAME
from hardway.drive.observation import Observation
from hardway.drive.observe import observe
from hardway.drive.stall import Cause
from hardway.model.errors import ConfigError, ToolError
from hardway.places.milestones import MilestoneRow, Way, milestones
from hardway.places.own.cluster import OwnCluster
from hardway.places.own.switch import wanted

SILENT = "no machine answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRow:
    name: str
    role: str
    address: str
    on: bool
    answers: bool  # one of its ports does
    ready: str  # Ready, the reason why not, or empty: it has not joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Way):
    nodes: tuple[NodeRow, ...]
    milestones: tuple[MilestoneRow, ...]
    troubles: Mapping[str, str]  # why a machine that answers could not be used, by its name
    known: tuple[Cause, ...] = ()  # what the next milestone knows about what is missing
    causes: tuple[str, ...] = ()  # what the doctor says of a milestone that has stalled, or is lost again

    def as_dict(self) -> dict[str, Any]:
        following = self.next
        return asdict(self) | {"next": following.name if following else None}


def status(own: OwnCluster, until: int) -> Status:
    """Up to that stage. Where no machine answers, nothing else is asked: it would only cost time."""
    cluster, names = own.live.cluster, [node.name for node in own.live.cluster.nodes]
    past = own.machines.remembered()
    answering = any(list(own.live.pool.map(own.machines.running, names)))
    seen = observe(own.live) if answering else Observation(api=SILENT, etcd_trouble=SILENT, past=past)
    found = Status(
        nodes=tuple(_nodes(own, seen)),
        milestones=tuple(row for row in milestones(cluster, seen, past) if int(row.stage) <= until),
        troubles=dict(own.machines.troubles),
    )
    waiting = BY_NAME[found.waiting.name] if found.waiting else None
    return replace(found, known=tuple(waiting.causes(seen, cluster)) if waiting else ())


def is_stuck(own: OwnCluster, found: Status) -> bool:
    """A finished cluster that has lost a milestone, or one on the way whose last run has given up."""
    useful = wanted(own)
    if found.waiting is None or any(row.name in useful and not row.answers for row in found.nodes):
        return False
    events = record.events(own.kept)
    return found.next is None or (bool(events) and events[-1].kind == "stalled")


def _nodes(own: OwnCluster, seen: Observation) -> Iterator[NodeRow]:
    for node in own.live.cluster.nodes:
        answers = own.machines.on.get(node.name, False)
        joined = seen.nodes.get(node.name)
        ready = "" if joined is None else "Ready" if joined.ready else f"not Ready: {joined.reason}"
        yield NodeRow(
            name=node.name,
            role=node.role,
            address=node.address,
            on=answers or _switched_on(own, node.name),
            answers=answers,
            ready=ready,
        )


def _switched_on(own: OwnCluster, node: str) -> bool:
    """Of a machine that does not answer: as its switch says. Why a switch cannot be asked is a trouble."""
    try:
        return own.machines.power.state(node) == "on"
    except (ConfigError, ToolError) as error:
        own.machines.troubles[node] = str(error)
        return False
