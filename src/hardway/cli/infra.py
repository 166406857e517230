"""hardway infra: the cluster's network, storage and machines in libvirt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.asking import demand_yes
from hardway.cli.options import all_of, counted, nodes_argument, output_option, print_json
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy

if TYPE_CHECKING:
    from hardway.libvirt.change import Change
    from hardway.libvirt.fleet import Fleet

_options = all_of(
    click.option(
        "--connect",
        metavar="URI",
        help="The libvirt to use; `up` remembers it. [default: the remembered one, else qemu:///system]",
    ),
    click.option("--bridge", metavar="NAME", help="Use this bridge of the host instead of a NAT network."),
    click.option(
        "--pool",
        metavar="DIR",
        help="Folder of the disks, for these machines only. [default: /var/lib/libvirt/images/ID]",
    ),
    click.option("--firmware", type=click.Choice(["uefi", "bios"]), help="Firmware of the machines. [default: uefi]"),
    click.option(
        "--accelerator", type=click.Choice(["kvm", "tcg"]), help="tcg emulates, which is slow. [default: kvm]"
    ),
    click.option(
        "--size", "sizes", multiple=True, metavar="SIZE", help="Size of a role, for example master=4,16GiB,120GiB."
    ),
    click.option(
        "--vips/--no-vips",
        default=None,
        help="Whether the load balancer runs on this host, with its addresses on the bridge. [default: --vips]",
    ),
    click.option(
        "--balancer/--no-balancer",
        default=None,
        help="Whether HAProxy is run there for this cluster, as a service. [default: --balancer]",
    ),
    output_option,
)
LEFT = "systemd does not run on the host: run the load balancer yourself, from the files of `hardway network files`"


@click.group()
def infra() -> None:
    """The cluster's network, storage and machines in libvirt.

    \b
    hardway infra up --dry-run   what would change, and why; changes nothing
    hardway infra up             makes the changes; a second run finds nothing to do
    hardway infra status         what libvirt has now
    hardway infra down           removes what is marked as this cluster's, and nothing else

    Everything goes through virsh, so --connect qemu+ssh://root@host/system works as well. There are three exceptions,
    on a remote host over ssh: addresses of the load balancer on an existing bridge (--bridge) are set with `ip`. Where
    firewalld runs, the load balancer's ports are opened with `firewall-cmd`. Where systemd runs, HAProxy is started as
    a service of its own, hardway-ID-haproxy, and on an existing bridge hardway-ID-addresses brings the addresses back
    after a reboot. `hardway up` then takes the bootstrap node out of it by itself. --no-balancer leaves the load
    balancer to you. The NAT network has DHCP and DNS; on an existing bridge you provide them.

    Options that you always give belong in hardway.yaml; the command line has priority:

    \b
      infra: {connect: qemu+ssh://root@hv1/system, bridge: br0}

    Machines can be on several hosts: name the hosts, and the host of each machine, in hosts.yaml. The host of
    --connect is the first one, and has the load balancer's addresses. A NAT network ends at its host, so each host
    needs a bridge:

    \b
      hypervisors: {hv2: {connect: qemu+ssh://root@hv2/system, bridge: br0}}
      hosts: {master-1: {hypervisor: hv2}}
    """


@infra.command(short_help="The same as `hardway infra up --dry-run`")
@nodes_argument
@_options
@click.pass_obj
def plan(folder: Path, /, nodes: tuple[str, ...], output: str, **given: Any) -> None:
    """The same as `hardway infra up --dry-run`."""
    _would(_open(folder, nodes, given), output)


def _would(run: Fleet, output: str) -> None:
    with busy("asking libvirt"):
        found = run.changes()
    _print(found, output)
    if output == "text":
        todo = [c for c in found if c.does]
        show(f"{counted(len(todo), 'change')} to make; nothing was changed")


@infra.command(short_help="Create or update network, load balancer, pool, disks and machines")
@nodes_argument
@click.option("--start", is_flag=True, help="Start the machines as well.")
@click.option("--dry-run", is_flag=True, help="Say what would change, and why; change nothing.")
@_options
@click.pass_obj
def up(folder: Path, /, nodes: tuple[str, ...], start: bool, dry_run: bool, output: str, **given: Any) -> None:
    """Create network, load balancer, pool, disks and machines (or those named), and update what differs from the plan.

    A running machine keeps running: a change takes effect at its next start. Machines stay off unless --start is
    given, because with an empty disk and no boot image there is nothing to start. A bootstrap machine that was
    removed with `hardway infra down bootstrap` is not created again, unless it is named.
    """
    run = _open(folder, nodes, given)
    if dry_run:
        _would(run, output)
        return
    with busy("changing what libvirt has"):
        found = run.bring_up(lambda c: None if output == "json" else tell(str(c)))
        started = run.start() if start else []
        balanced = run.balanced()
    _remember(folder, given["connect"], balanced.socket)
    if output == "json":
        print_json({"changes": [c.as_dict() for c in found], "started": started})
        return
    made = counted(len([c for c in found if c.does]), "change")
    left = [LEFT] if balanced.left else []
    tell("\n".join([*(f"{'started':9} {'machine':8} {name}" for name in started), *left, f"{made} made"]))


@infra.command(short_help="What the cluster has in libvirt now")
@_options
@click.pass_obj
def status(folder: Path, /, output: str, **given: Any) -> None:
    "What the cluster has in libvirt now, and whether it runs."
    with busy("asking libvirt"):
        found = _open(folder, (), given).inventory()
    if output == "json":
        print_json(found)
        return
    for host in found["hosts"]:
        _print_host(host, found)


def _print_host(host: dict[str, Any], found: dict[str, Any]) -> None:
    if len(found["hosts"]) > 1:
        show(f"host     {host['host']:28} {host['connect']}")
    network, pool = host["network"], host["pool"]
    show(f"network  {network['name']:28} {network['state']:9} {network['bridge'] or ''}".rstrip())
    for address, present in network["vips"].items():
        show(f"address  {address:28} {'present' if present else 'missing'}")
    for service in host["services"] or ():
        show(f"service  {service['name']:28} {service['state']}")
    show(f"pool     {pool['name']:28} {pool['state']:9} {pool['folder']}")
    for row in found["machines"]:
        if row["host"] == host["host"]:
            show(f"machine  {row['name']:28} {row['state']:9} {row['mac']} {' '.join(row['addresses'])}")
    for row in found["leftOver"]:
        if row["host"] == host["host"]:
            show(f"machine  {row['name']:28} {row['state']:9} not in the plan of this host")


@infra.command(short_help="Remove what is marked as this cluster's")
@nodes_argument
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
@click.option("--yes", is_flag=True, help="Do not ask. Without a terminal nothing is removed unless --yes is given.")
@_options
@click.pass_obj
def down(folder: Path, /, nodes: tuple[str, ...], dry_run: bool, yes: bool, output: str, **given: Any) -> None:
    """Remove what is marked as this cluster's: machines, disks, pool, load balancer, addresses, network.

    With names, remove only those machines and their disks, as in `hardway infra down bootstrap` after the pivot;
    `up` does not create them again. Removed disks cannot be restored. Without names, the record of the cluster's way
    (assets/machines) goes too.
    """
    from hardway.places.remembered import forget

    run = _open(folder, (), given)
    found = run.removals(nodes)
    _print(found, output, tell if yes and not dry_run else show)
    if dry_run or not any(c.does for c in found):
        return
    demand_yes(yes)
    with busy("removing what carries this cluster's mark"):
        run.take_down(nodes, found)
    if not nodes:
        forget(folder)


def _open(folder: Path, nodes: tuple[str, ...], given: dict[str, Any]) -> Fleet:
    from hardway.libvirt.choices import choose
    from hardway.libvirt.fleet import open_fleet
    from hardway.places.remembered import connect_of
    from hardway.workspace.folder import open_workspace

    workspace = open_workspace(folder)
    connect = connect_of(folder, given["connect"])
    return open_fleet(workspace, nodes, choose(workspace.loaded.settings.infra, **given | {"connect": connect}))


def _remember(folder: Path, connect: str | None, socket: str) -> None:
    """That the cluster's machines are in libvirt, in which, and where its load balancer is changed, for later commands.
    A socket of the user's own stays, unless there is a service now."""
    from dataclasses import replace

    from hardway.libvirt.balancer.wanted import SOCKETS
    from hardway.places.remembered import Place, connect_of, read, remember

    known = read(folder) or Place(kind="libvirt")
    own = "" if known.socket.startswith(SOCKETS) else known.socket
    remember(folder, replace(known, kind="libvirt", connect=connect_of(folder, connect) or "", socket=socket or own))


def _print(found: list[Change], output: str, say: Callable[[str], None] = show) -> None:
    if output == "json":
        print_json({"changes": [c.as_dict() for c in found]})
        return
    for change in found:
        say(str(change))
