"""What the prerequisites look at: a machine's facts, and the plan that it is to carry."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from hardway.checks.host.programs import Profile
from hardway.checks.host.sizes import Cost
from hardway.model.cluster import Cluster
from hardway.tools.machine.read import Machine
from hardway.tools.virsh import LOCAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What the machine is to carry."""

    cluster: Cluster
    cost: Cost
    here: Cost  # of the machines that are on this host
    profile: Profile
    connect: str = LOCAL  # the libvirt that has the machines
    built: datetime | None = None  # when the artifacts were last built, by the clock of then


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    machine: Machine
    planned: Planned
