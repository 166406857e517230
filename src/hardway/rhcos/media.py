"""The media of several machines, and which of them have to fetch their Ignition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hardway.deliver import run as deliver_run
from hardway.deliver.ledger import Ledger, no_ignition
from hardway.deliver.pointer import pointer_path
from hardway.deliver.run import Delivery, Place
from hardway.model.cluster import Node
from hardway.model.entropy import Entropy
from hardway.rhcos.images import Image
from hardway.rhcos.medium import Medium, make
from hardway.tools.coreos_installer import Kind, TooLarge
from hardway.workspace.folder import Workspace

Method = Literal["auto", "iso", "server", "pxe"]
"""auto puts the whole file into the ISO where it fits, and otherwise lets the machine fetch it."""

OR_ISO = ", or --method iso"  # the other way out where machines cannot fetch

Told = Callable[[Medium], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    workspace: Workspace
    image: Image
    place: Place
    entropy: Entropy

    def whole(self, nodes: Iterable[Node], method: Method, told: Told) -> list[Node]:
        """The media that hold everything; the machines that are left, because theirs does not fit."""
        left = []
        for node in nodes:
            try:
                told(self._make(node, ignition_file(self.workspace, node), "iso"))
            except TooLarge:
                if method == "iso":
                    raise
                left.append(node)
        return left

    def fetching(
        self, nodes: Iterable[Node], told: Told, *, waiting: Iterable[str] = (), kind: Kind = "iso"
    ) -> Delivery:
        """The media that hold a pointer, and what is to be served: to these machines, and to those that wait for it.

        A machine that is installed anew gets a new token if the old one was used.
        """
        wanted = list(nodes)
        for node in wanted:
            ignition_file(self.workspace, node)
        used = Ledger(self.workspace.store).receipts
        names = [*(n.name for n in wanted), *(name for name in waiting if name not in used)]
        again = [n.name for n in wanted if n.name in used]
        place = deliver_run.reachable(self.place, OR_ISO)
        delivery = deliver_run.plan(self.workspace, place, names, False, again, self.entropy)
        deliver_run.prepare(self.workspace, delivery)
        for node in wanted:
            told(self._make(node, self.workspace.store.root / pointer_path(node.name), "server", kind))
        return delivery

    def _make(self, node: Node, ignition: Path, way: Literal["iso", "server"], kind: Kind = "iso") -> Medium:
        return make(self.workspace.store, self.workspace.loaded.cluster, node, self.image, ignition, way, kind)


def ignition_file(workspace: Workspace, node: Node) -> Path:
    asset = workspace.graph.get(f"ignition/{node.name}")
    path = workspace.store.root / asset.path if asset else None
    if path is None or not path.exists():
        raise no_ignition(node.name, planned=asset is not None)
    return path
