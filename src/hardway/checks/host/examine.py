"""Stage 01: look at this machine, and say what it lacks for the cluster that is planned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from hardway.checks.host.place import BOOLEAN
from hardway.checks.host.programs import Profile, questions
from hardway.checks.host.row import Defect, Planned
from hardway.checks.host.sizes import cost
from hardway.checks.host.table import TABLE
from hardway.graph.store import RECORD
from hardway.libvirt.choices import POOLS, Choices
from hardway.libvirt.fleet import host_of
from hardway.model.cluster import Cluster, Node
from hardway.model.hosts import Hosts
from hardway.model.hypervisors import FIRST_HOST
from hardway.model.report import Finding, Report
from hardway.tools.machine import read as tools_machine
from hardway.tools.machine.read import Machine

Command = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    report: Report
    remedies: tuple[Command, ...]  # what is safe to run, in order


def prerequisites(
    cluster: Cluster,
    assets_root: Path,
    *,
    profile: Profile = "libvirt",
    choices: Choices | None = None,
    hosts: Hosts | None = None,
    probe: bool = False,
) -> Report:
    """What `verify 01` runs."""
    planned = plan(cluster, assets_root, profile=profile, choices=choices, hosts=hosts)
    return examine(look(planned, choices=choices, probe=probe), planned).report


def plan(
    cluster: Cluster,
    assets_root: Path,
    *,
    profile: Profile,
    choices: Choices | None = None,
    hosts: Hosts | None = None,
) -> Planned:
    nodes = here(cluster, choices or Choices(), hosts or Hosts())
    return Planned(
        cluster=cluster,
        cost=cost(cluster, choices),
        here=cost(cluster, choices, nodes),
        profile=profile,
        built=_built(assets_root),
    )


def here(cluster: Cluster, choices: Choices, hosts: Hosts) -> list[Node]:
    """The machines that will be on this very host: none of a libvirt elsewhere."""
    connects = {name: row.connect for name, row in hosts.hypervisors.items()} | {FIRST_HOST: choices.connect}
    return [node for node in cluster.nodes if not urlsplit(connects[host_of(node, hosts)]).hostname]


def _built(assets_root: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp((assets_root / RECORD).stat().st_mtime, UTC)
    except OSError:
        return None


def look(planned: Planned, *, choices: Choices | None = None, probe: bool = False) -> Machine:
    disks = Path((choices and choices.pool) or POOLS)
    return tools_machine.read(disks=disks, programs=questions(), booleans=(BOOLEAN,), probe=probe)


def examine(machine: Machine, planned: Planned) -> Examined:
    """Every row of the profile, whatever the ones before it found."""
    rows = [row for row in TABLE if planned.profile in row.profiles]
    defects = [(row, defect) for row in rows for defect in row.read(machine, planned)]
    findings = tuple(
        Finding(
            check=row.name,
            subject=defect.subject,
            message=defect.message,
            fix=defect.fix,
            failure=row.failure,
            severity=defect.severity,
        )
        for row, defect in defects
    )
    report = Report(ran=tuple(row.name for row in rows), findings=findings)
    return Examined(report=report, remedies=remedies(machine, (defect for _, defect in defects)))


def remedies(machine: Machine, defects: Iterable[Defect]) -> tuple[Command, ...]:
    """All packages at once, then the other commands."""
    found = list(defects)
    packages = tuple(dict.fromkeys(d.package for d in found if d.package))
    commands = dict.fromkeys(command for d in found for command in d.commands)
    return (*(_install(machine.system, packages) if packages else ()), *commands)


def _install(system: str, packages: tuple[str, ...]) -> tuple[Command, ...]:
    if system == "debian":
        install = ("apt-get", "install", "--yes", "--no-install-recommends", *packages)
        return (("apt-get", "update"), install)
    return (("dnf", "install", "--assumeyes", *packages),)
