"""Everything that a folder asks for, made in memory, and what differs between two of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hardway.emit.document import Document, leaves
from hardway.explain.origin.entropy import NoEntropy
from hardway.graph.asset import Asset, Given
from hardway.network.dns.records import ROWS as RECORDS
from hardway.network.frontends import TABLE as PORTS
from hardway.workspace.catalogue import documents
from hardway.workspace.folder import Workspace

SECTIONS = {"file": ("storage", "files", "path"), "unit": ("systemd", "units", "name")}
"""What of an Ignition file has an address of its own: where it is, and what names it."""


@dataclass(eq=False)
class Made:
    workspace: Workspace
    before: Made | None = None  # from which is taken over what would be made the same again
    content: dict[str, bytes] = field(default_factory=dict)
    bodies: dict[str, Any] = field(default_factory=dict)  # of documents
    taken_apart: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for address, asset in self.workspace.graph.items():
            if address in self.documents:
                self.bodies[address] = self.documents[address].body(self._given(asset))
            same = self._same(asset, self.before) if self.before else None
            self.content[address] = asset.make(self._given(asset)) if same is None else same

    def _given(self, asset: Asset) -> Given:
        cluster = self.workspace.loaded.cluster
        return Given(asset=asset, cluster=cluster, content=self.content.__getitem__, entropy=NoEntropy())

    def _same(self, asset: Asset, before: Made) -> bytes | None:
        """Keys and certificates of the same parameters, and documents of the same body. Other files are always made."""
        old = before.workspace.graph.get(asset.address)
        if old is None or asset.params != old.params or asset.needs != old.needs:
            return None
        if asset.address in self.bodies:
            same = self.bodies[asset.address] == before.bodies.get(asset.address)
        else:
            same = asset.kind != "derived" and all(self.content[n] == before.content[n] for n in asset.needs)
        return before.content[asset.address] if same else None

    @cached_property
    def documents(self) -> dict[str, Document]:
        return {document.address: document for document in documents(self.workspace.loaded.cluster)}

    def parts(self, address: str) -> dict[str, Any]:
        """What in a file has an address of its own, and its value. All others are compared with the first."""
        if address not in self.taken_apart:
            self.taken_apart[address] = self._parts(address)
        return self.taken_apart[address]

    def _parts(self, address: str) -> dict[str, Any]:
        if address in self.bodies:
            return _fields(self.documents[address], self.bodies[address])
        return dict(self._sections(address)) if address.startswith("ignition/") else {}

    def _sections(self, address: str) -> Iterator[tuple[str, Any]]:
        node = address.removeprefix("ignition/")
        cluster = self.workspace.loaded.cluster
        role = next((member.role for member in cluster.nodes if member.name == node), node)
        content = json.loads(self.content[address])
        for kind, (section, rows, name) in SECTIONS.items():
            for row in content.get(section, {}).get(rows, ()):
                yield f"{kind}/{role}:{row[name]}", row

    @cached_property
    def around(self) -> dict[str, Any]:
        """DNS records and ports of the load balancer, which are no files of the build."""
        cluster = self.workspace.loaded.cluster
        records = {f"record/{row.name}": list(row.hosts(cluster)) for row in RECORDS}
        return records | {f"port/{row.name}": list(row.nodes(cluster)) for row in PORTS}


def _fields(document: Document, body: Any) -> dict[str, Any]:
    """A value belongs to its own field, and to all around it that have a reason."""
    found: dict[str, list[Any]] = defaultdict(list)
    for path, value in leaves(body):
        for length in range(1, len(path) + 1):
            reason = document.reason(path[:length], value if length == len(path) else None)
            if reason:
                found[reason[0]].append((path[length:], value))
    return found


def differences(one: Made, other: Made) -> frozenset[str]:
    """The addresses whose values are not the same in both, or that only one of them has."""
    files = _differing(one.content, other.content)
    inside = {name for address in files for name in _differing(_parts(one, address), _parts(other, address))}
    return frozenset(files | inside | _differing(one.around, other.around))


def _parts(made: Made, address: str) -> dict[str, Any]:
    return made.parts(address) if address in made.content else {}


def _differing(one: dict[str, Any], other: dict[str, Any]) -> set[str]:
    missing = object()
    return {name for name in {*one, *other} if one.get(name, missing) != other.get(name, missing)}
