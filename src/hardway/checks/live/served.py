"""What the machine-config server would give to a new machine, and what our nodes were given: the same, but for the
rows below. A difference is told by its path; contents may be secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from hardway.checks.files.ignition.file import Ign
from hardway.checks.files.shapes import mapping, parse_json
from hardway.checks.live.given import Given
from hardway.checks.live.rendered import file_of, nodes_of
from hardway.drive.live import QUICK
from hardway.drive.wire import Endpoint, Identity, Unanswered, Wire
from hardway.ignition.base import POOLS, Pool
from hardway.ignition.node import table
from hardway.model.check import Flaw
from hardway.model.cluster import Node

PORT = 22623
ROOT_CA = "tls/root-ca.crt"
Part = Literal["presence", "content", "mode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A difference that is meant. `spec`: both are MachineConfigs, and their specs must be the same."""

    path: str
    parts: tuple[Part, ...]
    why: str
    spec: bool = False


METADATA = "the server adds what the cluster knows of the object: its owner, its time, who wrote which field"
EXPECTED: tuple[Expected, ...] = (
    *(
        Expected(path=row.path, parts=("presence",), why="the server gives one file to all machines of a pool")
        for row in table.OWN
    ),
    *(
        Expected(
            path=row.path,
            parts=("presence",),
            why="MCO does not know of kube-proxy: the network operator does its work",
        )
        for row in table.PROXY
    ),
    Expected(
        path=table.KUBECONFIG,
        parts=("content", "mode"),
        why="the server gives a token of the account node-bootstrapper, ours has a client certificate, and is "
        "readable by root only",
    ),
    Expected(
        path=table.KUBELET_CA,
        parts=("content",),
        why="after the bootstrap the server gives the bundle that the API server's operator keeps",
    ),
    Expected(
        path=table.CONTENT, parts=("content", "mode"), spec=True, why=f"{METADATA}; ours is readable by root only"
    ),
    Expected(path=table.ENCAPSULATED, parts=("content",), spec=True, why=METADATA),
)
"""By path: what differs, and why."""
BY_PATH = {row.path: row for row in EXPECTED}
LOGIN = "core"
"""The user whose key the build makes where install-config has no sshKey: a node's own file has that key, and no
MachineConfig has it."""


def same(given: Given) -> Iterator[Flaw]:
    for pool in POOLS:
        nodes = nodes_of(given.live.cluster, pool)
        for master in given.live.cluster.masters if nodes else ():
            yield from _from(given, master, pool, nodes[0])


def _from(given: Given, master: Node, pool: Pool, node: Node) -> Iterator[Flaw]:
    ours, subject = file_of(given, node), f"{master.name}:{PORT}/config/{pool}"
    endpoint = Endpoint(host=master.address, port=PORT, name=given.live.cluster.api_int_host)
    version = ours.document["ignition"]["version"]
    accept = f"application/vnd.coreos.ignition+json;version={version}"
    wire = Wire([endpoint], Identity(trust=given.live.asset(ROOT_CA)), seconds=QUICK, accept=accept)
    answer = wire.request("GET", f"/config/{pool}")
    if isinstance(answer, Unanswered):
        yield Flaw(subject=subject, message=f"no answer from {answer.reason}")
    elif answer.code >= 300:
        yield Flaw(subject=subject, message=f"answers {answer.code}")
    else:
        theirs = Ign(subject, dict(parse_json(answer.body) or {}))
        meant = set() if given.live.cluster.ssh_key.strip() else {f"the user {LOGIN}"}
        for place in (*_files(ours, theirs), *(other for other in others(ours, theirs) if other not in meant)):
            yield Flaw(subject=subject, message=f"{place} is not as in {ours.path}")


def _files(ours: Ign, theirs: Ign) -> Iterator[str]:
    for path in sorted(ours.paths | theirs.paths):
        row = BY_PATH.get(path)
        differs = set(_parts(ours, theirs, path))
        if differs - set(row.parts if row else ()) or (row and row.spec and _specs_differ(ours, theirs, path)):
            yield path


def _parts(ours: Ign, theirs: Ign, path: str) -> Iterator[Part]:
    mine, other = ours.entry(path), theirs.entry(path)
    if mine is None or other is None:
        yield "presence"
        return
    if ours.content(mine) != theirs.content(other):
        yield "content"
    if mine.get("mode") != other.get("mode"):
        yield "mode"


def _specs_differ(ours: Ign, theirs: Ign, path: str) -> bool:
    return bool(mapping(ours.json(path), "spec") != mapping(theirs.json(path), "spec"))


def others(ours: Ign, theirs: Ign) -> Iterator[str]:
    """Units and users that are not the same in both."""
    for what, mine, other in (("the unit", ours.units, theirs.units), ("the user", ours.users, theirs.users)):
        sides: list[dict[str, Any]] = [
            {str(e.get("name")): json.dumps(e, sort_keys=True) for e in s} for s in (mine, other)
        ]
        names = sorted(sides[0].keys() | sides[1].keys())
        yield from (f"{what} {name}" for name in names if sides[0].get(name) != sides[1].get(name))
