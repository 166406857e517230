"""A cluster folder and a libvirt, opened together: what the commands ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardway.infra.libvirt.apply import Site, apply
from hardway.infra.libvirt.change import Change
from hardway.infra.libvirt.choices import Choices
from hardway.infra.libvirt.host import Host
from hardway.infra.libvirt.identity import Identity, read_identity
from hardway.infra.libvirt.inventory import inventory
from hardway.infra.libvirt.plan import changes
from hardway.infra.libvirt.removal import removals
from hardway.infra.libvirt.world import Seen, observe
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ConfigError
from hardway.stages.workspace import open_workspace
from hardway.tools.virsh import Virsh

UPON = ("disk", "machine")
"""What stands on the network and the pool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    cluster: Cluster
    nodes: tuple[Node, ...]  # those that the user named, or all
    identity: Identity
    choices: Choices
    site: Site

    @property
    def machines(self) -> list[str]:
        return [self.identity.machine(node) for node in self.nodes]

    def seen(self) -> Seen:
        return observe(self.site.virsh, self.identity, self.choices.bridge, self.site.host)

    def changes(self) -> list[Change]:
        return changes(self.cluster, self.nodes, self.identity, self.choices, self.seen())

    def bring_up(self, tell: Callable[[Change], None]) -> list[Change]:
        """First what the machines stand on; their disks are looked at once the pool runs."""
        first = [c for c in self.changes() if c.kind not in UPON]
        apply(self.site, first, tell)
        second = [c for c in self.changes() if c.kind in UPON]
        apply(self.site, second, tell)
        return first + second

    def take_down(self, nodes: tuple[str, ...], found: list[Change]) -> None:
        """What was found, and if that was only a pool to start, also what is in it."""
        apply(self.site, found, lambda _: None)
        if any(change.action == "start" for change in found):
            apply(self.site, self.removals(nodes), lambda _: None)

    def removals(self, nodes: tuple[str, ...]) -> list[Change]:
        """By name also a machine that is no longer in the plan, if it carries the mark."""
        seen = self.seen()
        known = {n.name for n in self.cluster.nodes} | {m.node for m in seen.machines.values() if m.ours}
        _refuse_unknown(nodes, sorted(known))
        return removals(self.cluster, nodes, seen)

    def inventory(self) -> dict[str, Any]:
        return inventory(self.cluster, self.identity, self.choices, self.seen())


def open_session(folder: Path, nodes: tuple[str, ...], connect: str, choices: Choices) -> Session:
    workspace = open_workspace(folder)
    cluster = workspace.loaded.cluster
    identity = read_identity(workspace.store.root, cluster)
    _refuse_unknown(nodes, [n.name for n in cluster.nodes])
    return Session(
        cluster=cluster,
        nodes=tuple(n for n in cluster.nodes if not nodes or n.name in nodes),
        identity=identity,
        choices=choices,
        site=Site(virsh=Virsh(connect=connect), host=Host(connect=connect), pool=identity.infra_id),
    )


def _refuse_unknown(names: tuple[str, ...], known: list[str]) -> None:
    for name in names:
        if name not in known:
            raise ConfigError(f"{name}: there is no such machine.\n    fix: name one of {', '.join(known)}")
