"""hardway prerequisites: whether this machine can carry the cluster, and what it costs."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from hardway.cli.options import counted, ignore_option, output_option, print_json
from hardway.cli.report import print_report
from hardway.cli.terminal.text import note, show, tell
from hardway.cli.terminal.work import busy
from hardway.model.errors import CheckError, ConfigError

if TYPE_CHECKING:
    from hardway.checks.host.programs import Profile
    from hardway.checks.host.sizes import Cost
    from hardway.model.check import Command, Report

INSTALL_SECONDS = 1800


@click.command()
@click.option(
    "--profile",
    type=click.Choice(["build", "own", "libvirt"]),
    default="libvirt",
    help="build: only make artifacts. own: your own machines. libvirt: everything here. [default: libvirt]",
)
@click.option("--size", "sizes", multiple=True, metavar="ROLE=VCPUS,MEMORY,DISK", help="As in master=4,16GiB,120GiB.")
@click.option("--pool", metavar="DIR", help="Where the machines' disks will be.")
@click.option(
    "--probe-disk",
    is_flag=True,
    help="Measure the latency of small synchronous writes on that disk, which etcd depends on.",
)
@click.option("--cost", "cost_only", is_flag=True, help="Only print what the machines need.")
@click.option("--fix", "fixing", is_flag=True, help="Run the safe fixes: packages, KVM, libvirtd, SELinux, firewalld.")
@click.option("--dry-run", is_flag=True, help="With --fix: show the commands, and run none.")
@ignore_option
@output_option
@click.pass_obj
def prerequisites(
    folder: Path,
    profile: str,
    sizes: tuple[str, ...],
    pool: str | None,
    probe_disk: bool,
    cost_only: bool,
    fixing: bool,
    dry_run: bool,
    ignore: frozenset[str],
    output: str,
) -> None:
    """Check whether this machine can run the cluster of this folder, and what the cluster needs (stage 01).

    It checks programs and their versions, KVM, libvirt, processor, memory, disk, clock, addresses, ports, SELinux,
    firewall, pull secret and ssh key. It changes nothing. Each defect has a fix; --fix runs the safe ones: it installs
    packages of the distribution, loads KVM's module, starts libvirtd, lets HAProxy use its ports under SELinux, and
    opens the ports of the plan, for its addresses only, in firewalld's zone of the machines. Sizes and pool come from
    `infra` in hardway.yaml unless given here; machines on other hosts are not counted. Exit code 4 if a requirement
    is not met.

    \b
    Examples:
      hardway prerequisites --cost            what the planned machines need
      hardway prerequisites --profile own     I bring machines, load balancer and DNS myself
      hardway prerequisites --fix --dry-run   the commands that would be run
    """
    if dry_run and not fixing:
        message = "--dry-run: is for --fix; without that nothing is changed anyway"
        raise ConfigError(f"{message}.\n    fix: give --fix too, or leave --dry-run out")
    from hardway.checks.host import examine
    from hardway.libvirt.choices import choose
    from hardway.workspace.folder import open_workspace

    workspace = open_workspace(folder)
    loaded = workspace.loaded
    choices = choose(loaded.settings.infra, sizes, pool=pool)
    kind = cast("Profile", profile)
    planned = examine.plan(loaded.cluster, workspace.store.root, profile=kind, choices=choices, hosts=loaded.hosts)
    if cost_only:
        print_json(planned.cost.as_dict()) if output == "json" else _print_cost(planned.cost, show)
        return
    with busy("examining this machine"):
        machine = examine.look(kind, choices=choices, probe=probe_disk)
    report = examine.examine(machine, planned).ignoring(ignore)
    if fixing:
        _fix(examine.remedies(machine, (f for f in report.findings if not f.ignored)), dry_run, output)
        if dry_run:
            return
        report = examine.examine(examine.look(kind, choices=choices, probe=probe_disk), planned).ignoring(ignore)
    _print(report, planned.cost, output)


def _fix(commands: tuple[Command, ...], dry_run: bool, output: str) -> None:
    from hardway.tools.run import run

    if dry_run and output == "json":
        print_json({"commands": [shlex.join(command) for command in commands]})
        return
    for command in commands:
        show(f"would run  {shlex.join(command)}") if dry_run else note(f"running  {shlex.join(command)}")
        if not dry_run:
            with busy(f"running {command[0]}"):
                run(command, seconds=INSTALL_SECONDS)
    if not commands:
        show("no automatic fix available") if dry_run else note("no automatic fix available")


def _print(report: Report, cost: Cost, output: str) -> None:
    if output == "json":
        print_json(report.as_dict() | {"cost": cost.as_dict()})
    else:
        _print_cost(cost, tell)
        print_report(report)
    if not report.ok:
        raise CheckError(f"this machine is not ready: {counted(len(report.errors), 'error')}")


def _print_cost(cost: Cost, say: Callable[[str], None]) -> None:
    say("machines         vCPUs  memory    disk")
    rows = [(f"{m.count} {m.role}", m.all) for m in cost.machines]
    for name, amount in (*rows, ("all together", cost.total), ("at once", cost.peak)):
        say(f"{name:16} {amount.vcpus:5} {amount.memory_mib / 1024:4.0f} GiB {amount.disk_gib:4} GiB")
