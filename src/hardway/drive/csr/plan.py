"""The nodes that may join: of a cluster's folder, or of a file that lists the nodes of anybody's cluster."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from hardway.model.cluster import Node, Role
from hardway.model.config.reading import Reading
from hardway.model.errors import ConfigError
from hardway.model.hosts import HostEntry, read_hosts

NAME = re.compile(r"(master|worker)-(0|[1-9][0-9]{0,3})")
EXAMPLE = "write hosts: {master-0: {hostname: NAME, addresses: [ADDRESS]}, worker-0: ...}"


class Joining(Protocol):
    """What a request is compared with. A Cluster is one."""

    @property
    def masters(self) -> tuple[Node, ...]: ...

    @property
    def workers(self) -> tuple[Node, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    masters: tuple[Node, ...]
    workers: tuple[Node, ...]


def names(plan: Joining) -> list[str]:
    return [node.name for node in (*plan.masters, *plan.workers)]


def name_of(plan: Joining, wanted: str) -> str:
    """The node's name, by the name itself or by its key in hosts.yaml; what is neither stays as it is."""
    keys = {f"{node.role}-{node.index}": node.name for node in (*plan.masters, *plan.workers)}
    return wanted if wanted in names(plan) else keys.get(wanted, wanted)


def read_nodes(text: str, file: str) -> Listed:
    """A file of the form of hosts.yaml. Nothing is derived: what nobody wrote is not approved."""
    hosts, reading = read_hosts(text, file)
    nodes = [_node(reading, name, entry) for name, entry in hosts.entries.items() if name != "bootstrap"]
    if not nodes and not reading.problems:
        reading.error("nodes.none", "hosts", "the file names no master and no worker", EXAMPLE)
    _demand_different(reading, nodes)
    if reading.problems:
        raise ConfigError(reading.problems)
    return Listed(
        masters=tuple(node for node in nodes if node.role == "master"),
        workers=tuple(node for node in nodes if node.role == "worker"),
    )


def _node(reading: Reading, name: str, entry: HostEntry) -> Node:
    found = NAME.fullmatch(name)
    if found is None:
        message = "the key says what the node is: master-0, master-1, worker-0 and so on"
        reading.error("nodes.role", f"hosts.{name}", message, "write such a key, and the node's own name as hostname")
    if not entry.addresses and not reading.is_broken(f"hosts.{name}.addresses"):
        message = "the node has no addresses, so no serving certificate of it can be compared"
        reading.error("nodes.addresses", f"hosts.{name}", message, "write the addresses of the node, all of them")
    for index, address in enumerate(entry.addresses):
        if address.is_loopback or address.is_unspecified or address.is_multicast or address.is_link_local:
            message = "is an address that every machine has, or none: a certificate for it would be good for others too"
            reading.error("nodes.reach", f"hosts.{name}.addresses[{index}]", message, "write the node's own address")
    role: Role = "master" if found and found[1] == "master" else "worker"
    return Node(
        name=entry.hostname or name,
        role=role,
        index=int(found[2]) if found else 0,
        addresses=tuple(map(str, entry.addresses)),
        mac="",
        disk="",
    )


def _demand_different(reading: Reading, nodes: list[Node]) -> None:
    """Two nodes of one name or address are one node, and the other one a stranger."""
    taken: dict[str, str] = {}
    for node in nodes:
        for value in (node.name, *node.addresses):
            if (other := taken.setdefault(value, f"{node.role}-{node.index}")) != f"{node.role}-{node.index}":
                path = f"hosts.{node.role}-{node.index}"
                reading.error("nodes.taken", path, f"{value} is {other}'s already", "give each node its own")
