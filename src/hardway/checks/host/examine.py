"""Stage 01: look at this machine, and say what it lacks for the cluster that is planned."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from hardway.checks.host.place import BOOLEAN
from hardway.checks.host.programs import Profile, questions
from hardway.checks.host.sizes import cost
from hardway.checks.host.subject import Host, Planned
from hardway.checks.host.table import BY_PROFILE
from hardway.graph.store import RECORD
from hardway.libvirt.choices import POOLS, Choices
from hardway.libvirt.fleet import host_of
from hardway.model.check import Command, Finding, Report, run
from hardway.model.cluster import Cluster, Node
from hardway.model.hosts import Hosts
from hardway.model.hypervisors import FIRST_HOST
from hardway.tools.machine import read as tools_machine
from hardway.tools.machine.read import Machine


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
    return examine(look(profile, choices=choices, probe=probe), planned)


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
        connect=(choices or Choices()).connect,
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


def look(profile: Profile, *, choices: Choices | None = None, probe: bool = False) -> Machine:
    wanted = choices or Choices()
    return tools_machine.read(
        disks=Path(wanted.pool or POOLS),
        programs=questions(),
        booleans=(BOOLEAN,),
        libvirt=wanted.connect if profile == "libvirt" else "",
        probe=probe,
    )


def examine(machine: Machine, planned: Planned) -> Report:
    return run(BY_PROFILE[planned.profile], Host(machine=machine, planned=planned))


def remedies(machine: Machine, findings: Iterable[Finding]) -> tuple[Command, ...]:
    """What is safe to run, in order: all packages at once, then the other commands."""
    found = list(findings)
    packages = tuple(dict.fromkeys(f.package for f in found if f.package))
    commands = dict.fromkeys(command for f in found for command in f.commands)
    return (*(_install(machine.system, packages) if packages else ()), *commands)


def _install(system: str, packages: tuple[str, ...]) -> tuple[Command, ...]:
    if system == "debian":
        install = ("apt-get", "install", "--yes", "--no-install-recommends", *packages)
        return (("apt-get", "update"), install)
    return (("dnf", "install", "--assumeyes", *packages),)
