"""What the planned machines cost, and the least that each role can do with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hardway.libvirt.choices import LEAST_DISK, Choices, standard
from hardway.model.cluster import Cluster, Node, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    vcpus: int
    memory_mib: int
    disk_gib: int

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            vcpus=self.vcpus + other.vcpus,
            memory_mib=self.memory_mib + other.memory_mib,
            disk_gib=self.disk_gib + other.disk_gib,
        )

    def as_dict(self) -> dict[str, int]:
        return {"vcpus": self.vcpus, "memoryMiB": self.memory_mib, "diskGiB": self.disk_gib}


NOTHING = Amount(vcpus=0, memory_mib=0, disk_gib=0)
ROLES: tuple[Role, ...] = ("bootstrap", "master", "worker")
LIVE_MEMORY_MIB = 4096  # the live system unpacks itself into memory and then fetches into it
FULL_DISK_GIB = 25  # a node with less than this runs full while it is installed


@dataclass(frozen=True, slots=True, kw_only=True)
class Machines:
    """One role's machines."""

    role: Role
    count: int
    each: Amount

    @property
    def all(self) -> Amount:
        return sum((self.each for _ in range(self.count)), NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the topology takes. Workers boot after the bootstrap node has gone, so the peak is less than the sum."""

    machines: tuple[Machines, ...]

    def _of(self, role: Role) -> Amount:
        return next((m.all for m in self.machines if m.role == role), NOTHING)

    @property
    def total(self) -> Amount:
        return sum((m.all for m in self.machines), NOTHING)

    @property
    def peak(self) -> Amount:
        first = self._of("bootstrap") + self._of("master")
        later = self._of("master") + self._of("worker")
        return max(first, later, key=lambda amount: amount.memory_mib)

    @property
    def count(self) -> int:
        return sum(m.count for m in self.machines)

    def as_dict(self) -> dict[str, Any]:
        rows = [{"role": m.role, "count": m.count, **m.each.as_dict()} for m in self.machines]
        return {"machines": rows, "total": self.total.as_dict(), "peak": self.peak.as_dict()}


def minimum(cluster: Cluster, role: Role) -> Amount:
    size = standard(cluster, role)
    return Amount(vcpus=size.vcpus, memory_mib=size.least_memory or size.memory, disk_gib=LEAST_DISK)


def cost(cluster: Cluster, choices: Choices | None = None, nodes: Iterable[Node] | None = None) -> Cost:
    """Of these machines, or of all, with the sizes that `hardway infra` would give them."""
    chosen = choices or Choices()
    counts = Counter(node.role for node in (cluster.nodes if nodes is None else nodes))
    return Cost(machines=tuple(_machines(cluster, chosen, role, counts[role]) for role in ROLES if counts[role]))


def _machines(cluster: Cluster, choices: Choices, role: Role, count: int) -> Machines:
    size = choices.size(cluster, role)
    each = Amount(vcpus=size.vcpus, memory_mib=size.memory, disk_gib=size.disk)
    return Machines(role=role, count=count, each=each)
