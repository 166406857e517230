"""The shape of a deviation: what a lab node does differently from RHCOS, why, and with which files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hardway.lab.cgroups import Mode, mode
from hardway.model.cluster import Cluster, Node

SYS_RESOURCE = 24  # CAP_SYS_RESOURCE's number


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTraits:
    """What of the machine decides how its nodes differ."""

    cgroups: Mode
    limits_bind: bool  # not even root may exceed resource limits: CAP_SYS_RESOURCE is missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a file may be made from."""

    cluster: Cluster
    node: Node
    host: HostTraits
    registry: str
    assets: Path  # of the cluster


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A file of the lab's layer: shipped with the lab, made for the node, or a link."""

    path: str
    shipped: str = ""
    make: Callable[[Given], str] | None = None
    link: str = ""
    mode: int = 0o644


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    name: str
    what: str
    why: str
    where: str = "every node"
    applies: Callable[[Given], bool] = lambda given: True
    files: tuple[Placed, ...] = ()

    @property
    def address(self) -> str:
        return f"deviation/{self.name}"


def look() -> HostTraits:
    """At this machine."""
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    return HostTraits(cgroups=mode(), limits_bind=not int(status["CapBnd"], 16) >> SYS_RESOURCE & 1)
