"""An asset: one file, the recipe that makes it, and the reason it exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal

from hardway.model.cluster import Cluster
from hardway.model.entropy import Entropy
from hardway.model.why import Why

Kind = Literal["origin", "issued", "derived"]
"""origin: made from randomness, kept for ever unless rotated (keys, passwords, ids).
issued: contains randomness, remade only when what it says changes (certificates).
derived: a pure function of its inputs and of this program's code (documents)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    address: str
    stage: str
    path: str
    mode: int
    kind: Kind
    make: Callable[[Given], bytes]
    why: Why
    needs: tuple[str, ...] = ()
    params: object = None
    """What the recipe was told besides cluster and needs; a change of it remakes the asset."""
    cost: int = 0
    """How much work it is. From 1 on, it is made in a process of its own, the most costly ones first."""
    prepare: Callable[[], object] | None = None
    """Called before such processes begin: imports that each of them would have to repeat."""


class Reading:
    """A cluster that remembers which of its attributes a recipe has read."""

    __slots__ = ("_cluster", "_read")

    def __init__(self, cluster: Cluster, read: set[str]) -> None:
        object.__setattr__(self, "_cluster", cluster)
        object.__setattr__(self, "_read", read)

    def __getattr__(self, name: str) -> Any:
        self._read.add(name)
        return getattr(self._cluster, name)


class Given:
    """What a recipe may look at: the cluster, the content of its declared needs, its parameters, entropy."""

    __slots__ = ("_content", "_needs", "_read", "cluster", "entropy", "params")

    def __init__(self, *, asset: Asset, cluster: Cluster, content: Callable[[str], bytes], entropy: Entropy) -> None:
        self._read: set[str] = set()
        self._needs = asset.needs
        self._content = content
        self.cluster: Cluster = Reading(cluster, self._read)  # type: ignore[assignment]
        self.params: Any = asset.params
        self.entropy = entropy

    def __getitem__(self, address: str) -> bytes:
        if address not in self._needs:
            raise KeyError(f"{address} is read but not declared as a need")
        return self._content(address)

    def text(self, address: str) -> str:
        return self[address].decode()

    @property
    def read(self) -> frozenset[str]:
        """The cluster attributes that the recipe has read so far."""
        return frozenset(self._read)


class Graph(Mapping[str, Asset]):
    """Assets by address, in an order in which each one comes after all it needs."""

    def __init__(self, assets: list[Asset]) -> None:
        self._by_address = {a.address: a for a in assets}
        if len(self._by_address) != len(assets):
            raise ValueError("two assets have the same address")
        if len({a.path for a in assets}) != len(assets):
            raise ValueError("two assets have the same path")
        if any(a.cost and a.needs for a in assets):
            raise ValueError("an asset that is made in a process of its own may need nothing")
        self._ordered: dict[str, Asset] = {}
        for asset in assets:
            self._place(asset, ())

    def _place(self, asset: Asset, below: tuple[str, ...]) -> None:
        if asset.address in self._ordered:
            return
        if asset.address in below:
            raise ValueError(f"a circle: {' needs '.join([*below, asset.address])}")
        for need in asset.needs:
            self._place(self._by_address[need], (*below, asset.address))
        self._ordered[asset.address] = asset

    def __getitem__(self, address: str) -> Asset:
        return self._ordered[address]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ordered)

    def __len__(self) -> int:
        return len(self._ordered)

    def closure(self, addresses: list[str]) -> set[str]:
        """The given assets and all they need, directly or not."""
        found: set[str] = set()
        waiting = list(addresses)
        while waiting:
            address = waiting.pop()
            if address not in found:
                found.add(address)
                waiting.extend(self[address].needs)
        return found

    def part(self, addresses: list[str]) -> Graph:
        """The given assets and all they need, as a graph of their own."""
        inside = self.closure(addresses)
        return Graph([asset for address, asset in self.items() if address in inside])

    def around(self, addresses: Iterable[str]) -> Graph:
        """The given assets and their direct inputs, which stand there without inputs of their own."""
        inside = set(addresses)
        inputs = {need for address in inside for need in self[address].needs} - inside
        shown = (asset if address in inside else replace(asset, needs=()) for address, asset in self.items())
        return Graph([asset for asset in shown if asset.address in inside | inputs])

    def users(self, addresses: Iterable[str]) -> set[str]:
        """Everything that hangs on the given assets, directly or not."""
        found = set(addresses)
        for address, asset in self.items():
            if not found.isdisjoint(asset.needs):
                found.add(address)
        return found


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()
