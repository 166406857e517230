"""The cluster on one libvirt host: what is there, what should be, and the way between."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from hardway.libvirt.apply import Target, apply, start_machines
from hardway.libvirt.balancer.changes import wanted_here
from hardway.libvirt.balancer.unit import BALANCER
from hardway.libvirt.balancer.wanted import socket_path, unit_name
from hardway.libvirt.change import Change
from hardway.libvirt.choices import Choices
from hardway.libvirt.host import Host
from hardway.libvirt.identity import Identity
from hardway.libvirt.plan import changes, left_over
from hardway.libvirt.removal import removals
from hardway.libvirt.world import Seen, observe
from hardway.model.cluster import Cluster, Node
from hardway.tools.virsh import Virsh

UPON = ("disk", "machine")
"""What stands on the network and the pool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Balanced:
    """Of a load balancer that is to run as a service."""

    socket: str = ""  # its admin socket
    left: bool = False  # no systemd runs there: its owner has to run it


@dataclass(frozen=True, kw_only=True)
class Session:
    name: str  # of the host; empty where it is the only one
    cluster: Cluster
    here: tuple[Node, ...]  # the machines that the plan puts on this host
    named: tuple[str, ...]  # those that the user named; nothing stands for all
    identity: Identity
    choices: Choices

    @cached_property
    def target(self) -> Target:
        connect = self.choices.connect
        return Target(virsh=Virsh(connect=connect), host=Host(connect=connect), pool=self.identity.infra_id)

    @property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(n for n in self.here if not self.named or n.name in self.named)

    def seen(self) -> Seen:
        return observe(self.target.virsh, self.identity, self.choices.bridge if self.here else "", self.target.host)

    def changes(self, seen: Seen) -> list[Change]:
        """A host without a machine of the plan needs nothing; what was left on it is told."""
        if not self.here:
            return self._mine(left_over(self.cluster, self.identity, seen))
        gone = tuple(n for n in (seen.network.gone if seen.network else ()) if n not in self.named)
        return self._mine(changes(self.cluster, self.nodes, self.identity, self.choices, seen, gone))

    def bring_up(self, tell: Callable[[Change], None]) -> list[Change]:
        """First what the machines stand on; their disks are looked at once the pool runs."""
        first = [c for c in self.changes(self.seen()) if c.kind not in UPON]
        apply(self.target, first, tell)
        second = [c for c in self.changes(self.seen()) if c.kind in UPON]
        apply(self.target, second, tell)
        return first + second

    def balanced(self) -> Balanced:
        """A command here reaches the socket of a load balancer on this machine alone."""
        if not (self.here and wanted_here(self.choices)):
            return Balanced()
        services = self.seen().services
        if services is None:
            return Balanced(left=True)
        unit = services.units.get(unit_name(self.identity, BALANCER))
        here = unit is not None and unit.active and self.target.host.is_this_machine
        return Balanced(socket=socket_path(self.identity) if here else "")

    def start(self) -> list[str]:
        """Switch on those machines that are there."""
        there = self.seen().machines
        return start_machines(self.target, [m for n in self.nodes if (m := self.identity.machine(n)) in there])

    def removals(self, nodes: tuple[str, ...], seen: Seen) -> list[Change]:
        return self._mine(removals(self.cluster, nodes, seen))

    def take_down(self, nodes: tuple[str, ...], found: list[Change]) -> None:
        """What was found, and if that was only a pool to start, also what is in it."""
        apply(self.target, found, lambda _: None)
        if any(change.action == "start" for change in found):
            apply(self.target, self.removals(nodes, self.seen()), lambda _: None)

    def _mine(self, found: Iterable[Change]) -> list[Change]:
        return [replace(change, host=self.name) for change in found]
