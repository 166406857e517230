"""hardway infra: the cluster's network, storage and machines in libvirt."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.options import counted, output_option, print_json
from hardway.model.errors import ConfigError

if TYPE_CHECKING:
    from hardway.infra.libvirt.change import Change
    from hardway.infra.libvirt.session import Session

_OPTIONS = [
    click.option("--connect", metavar="URI", default="qemu:///system", show_default=True, help="The libvirt to use."),
    click.option("--bridge", metavar="NAME", default="", help="Use this bridge of the host instead of a NAT network."),
    click.option(
        "--pool",
        metavar="DIR",
        default="",
        help="Folder of the disks, theirs alone. [default: /var/lib/libvirt/images/ID]",
    ),
    click.option("--firmware", type=click.Choice(["uefi", "bios"]), default="uefi", show_default=True),
    click.option(
        "--accelerator", type=click.Choice(["kvm", "tcg"]), default="kvm", show_default=True, help="tcg emulates: slow."
    ),
    click.option("--size", "sizes", multiple=True, metavar="SIZE", help="For a role, as master=4,16GiB,120GiB."),
    click.option("--no-vips", is_flag=True, help="The load balancer is elsewhere: put no addresses on the bridge."),
    output_option,
]
nodes_argument = click.argument("nodes", nargs=-1, metavar="[NODE]...")


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


@click.group()
def infra() -> None:
    """The cluster's network, storage and machines in libvirt.

    \b
    hardway infra plan     what would change, and why; changes nothing
    hardway infra up       makes it so; a second run finds nothing to do
    hardway infra status   what is there now, asked from libvirt
    hardway infra down     removes what carries this cluster's mark, and nothing else

    \b
    Everything goes through virsh, so --connect qemu+ssh://root@host/system works as well. Two exceptions: addresses
    of the load balancer on an existing bridge (--bridge) are set with `ip`, and where firewalld runs the load
    balancer's ports are opened with `firewall-cmd`, on a remote host over ssh. DHCP and DNS come with the NAT
    network; on an existing bridge they are yours. Give the same options to every command.
    """


@infra.command()
@nodes_argument
@_options
@click.pass_obj
def plan(folder: Path, /, nodes: tuple[str, ...], output: str, **given: Any) -> None:
    """What `up` would change, and why: the plan compared with what libvirt has. Changes nothing."""
    found = _open(folder, nodes, given).changes()
    _print(found, output)
    if output == "text":
        todo = [c for c in found if c.action != "keep"]
        click.echo(f"{counted(len(todo), 'change')} to make; nothing was changed")


@infra.command()
@nodes_argument
@click.option("--start", is_flag=True, help="Switch the machines on as well.")
@_options
@click.pass_obj
def up(folder: Path, /, nodes: tuple[str, ...], start: bool, output: str, **given: Any) -> None:
    """Make the network, the pool, the disks and the machines (or those named), and bring changed ones up to the plan.

    A machine that runs keeps running: a change to it takes effect at its next start. Machines stay off unless
    --start is given, because with an empty disk and no boot image there is nothing to start.
    """
    from hardway.infra.libvirt.apply import start_machines

    run = _open(folder, nodes, given)
    found = run.bring_up(lambda c: None if output == "json" else click.echo(str(c)))
    started = start_machines(run.site, run.machines) if start else []
    if output == "json":
        print_json({"changes": [c.as_dict() for c in found], "started": started})
        return
    made = counted(len([c for c in found if c.action != "keep"]), "change")
    click.echo("\n".join([*(f"{'started':9} {'machine':8} {name}" for name in started), f"{made} made"]))


@infra.command()
@_options
@click.pass_obj
def status(folder: Path, /, output: str, **given: Any) -> None:
    """What of the cluster is in libvirt now, and whether it runs."""
    found = _open(folder, (), given).inventory()
    if output == "json":
        print_json(found)
        return
    network, pool = found["network"], found["pool"]
    click.echo(f"network  {network['name']:28} {network['state']:9} {network['bridge'] or ''}".rstrip())
    for address, present in network["vips"].items():
        click.echo(f"address  {address:28} {'present' if present else 'missing'}")
    click.echo(f"pool     {pool['name']:28} {pool['state']:9} {pool['folder']}")
    for row in found["machines"]:
        click.echo(f"machine  {row['name']:28} {row['state']:9} {row['mac']} {' '.join(row['addresses'])}")
    for row in found["leftOver"]:
        click.echo(f"machine  {row['name']:28} {row['state']:9} no longer in the plan")


@infra.command()
@nodes_argument
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_options
@click.pass_obj
def down(folder: Path, /, nodes: tuple[str, ...], dry_run: bool, yes: bool, output: str, **given: Any) -> None:
    """Remove what carries this cluster's mark: machines, disks, pool, network, addresses. With names, only those
    machines and their disks, as in `hardway infra down bootstrap` after the pivot. Disks are gone for good."""
    run = _open(folder, (), given)
    found = run.removals(nodes)
    _print(found, output)
    if dry_run or not any(c.action != "keep" for c in found):
        return
    if not yes and not _agreed():
        raise ConfigError("nothing was removed.\n    fix: answer y, or give --yes")
    run.take_down(nodes, found)


def _agreed() -> bool:
    """Nobody there to ask is a no."""
    try:
        return click.confirm("Remove all of this?", err=True)
    except click.Abort:
        return False


def _open(folder: Path, nodes: tuple[str, ...], given: dict[str, Any]) -> Session:
    from hardway.infra.libvirt.choices import Choices, check_bridge, parse_size
    from hardway.infra.libvirt.session import open_session

    choices = Choices(
        firmware=given["firmware"],
        accelerator=given["accelerator"],
        bridge=check_bridge(given["bridge"]),
        vips=not given["no_vips"],
        pool=given["pool"],
        sizes=dict(parse_size(text) for text in given["sizes"]),
    )
    return open_session(folder, nodes, given["connect"], choices)


def _print(found: list[Change], output: str) -> None:
    if output == "json":
        print_json({"changes": [c.as_dict() for c in found]})
        return
    for change in found:
        click.echo(str(change))
