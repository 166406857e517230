"""Ports on which a node listens, tried from the other nodes: what only the node itself reaches, a firewall closes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardway.checks.nodes.subject import RunningNodes
from hardway.model.check import Flaw
from hardway.model.cluster import Node, in_url

LISTENING = ["cat", "/proc/net/tcp", "/proc/net/tcp6"]
LISTENS = "0A"  # the kernel's word for it
SECONDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    number: int
    failure: str
    members_only: bool  # of etcd; else every node comes
    why: str


TABLE: tuple[Port, ...] = (
    Port(number=2380, failure="F30", members_only=True, why="etcd's members replicate over it"),
    Port(number=6443, failure="F47", members_only=False, why="the API's ClusterIP leads to it"),
)


def closed(seen: RunningNodes) -> Iterator[Flaw]:
    listening = {name: numbers(said) for name, said in seen.ask_all(LISTENING).items()}
    tried = {node.name: _targets(seen, node, listening) for node in seen.on}
    commands = {name: _probe(targets) for name, targets in tried.items() if targets}
    for name, said in seen.ask(commands).items():
        for target, port in tried[name]:
            if f"{target.name}:{port.number}" in said.split():
                place = f"{target.name} ({in_url(target.address)}:{port.number})"
                message = f"listens, and {name} cannot connect to it; {port.why}"
                fix = f"open port {port.number} of {target.name} for {name}: `nft list ruleset` on {target.name}"
                yield Flaw(subject=place, message=message, failure=port.failure, fix=fix)


def numbers(table: str) -> frozenset[int]:
    """The ports on which somebody listens, by the kernel's tables of sockets."""
    rows = (line.split() for line in table.splitlines())
    return frozenset(
        int(row[1].rpartition(":")[2], 16) for row in rows if len(row) > 3 and row[3] == LISTENS and ":" in row[1]
    )


def _targets(seen: RunningNodes, source: Node, listening: dict[str, frozenset[int]]) -> list[tuple[Node, Port]]:
    holders = seen.cluster.control_plane
    return [
        (target, port)
        for port in TABLE
        for target in seen.on
        if target is not source
        and target in holders
        and (source in holders or not port.members_only)
        and port.number in listening.get(target.name, ())
    ]


def _probe(targets: list[tuple[Node, Port]]) -> list[str]:
    """A command that prints what cannot be reached; all are tried at once, and twice."""
    tries = []
    for target, port in targets:
        connect = f"timeout {SECONDS} bash -c ': <>/dev/tcp/{target.address}/{port.number}' 2>/dev/null"
        tries.append(f"{{ {connect} || {connect} || echo {target.name}:{port.number}; }} &")
    return ["bash", "-c", " ".join([*tries, "wait"])]
