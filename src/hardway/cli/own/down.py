"""hardway down: what was made for the cluster, wherever it runs; of machines of your own, only the record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.asking import demand_yes
from hardway.cli.options import output_option, print_json
from hardway.cli.own.place import lab_does
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy

if TYPE_CHECKING:
    from hardway.libvirt.change import Change
    from hardway.libvirt.fleet import Fleet
    from hardway.model.cluster import Cluster


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
@click.option("--yes", is_flag=True, help="Do not ask. Without a terminal nothing is removed unless --yes is given.")
@output_option
@click.pass_obj
def down(folder: Path, dry_run: bool, yes: bool, output: str) -> None:
    """Remove the cluster from where it runs, and the record of its way.

    \b
    libvirt                machines, disks, pool, load balancer, addresses and network that have this cluster's mark
    in the lab             as `hardway lab down`
    machines of your own   nothing of the machines, the load balancer or DNS: the command names what is left to you

    The record of the way (assets/machines) goes with it, so that `hardway up` starts again from stage 10. All other
    files of the folder stay.

    \b
    Examples:
      hardway down --dry-run
      hardway down             asks before it removes anything
      hardway down --yes       in a script
    """
    from hardway.cli.lab.down import down as in_lab
    from hardway.places.remembered import kept, read
    from hardway.workspace.folder import planned

    if lab_does(folder, in_lab, dry_run=dry_run, yes=yes, output=output):
        return
    cluster, place = planned(folder), read(folder)
    fleet = _fleet(folder) if place and place.kind == "libvirt" else None
    found = _removals(fleet)
    left = [] if fleet else _left(cluster)
    _print(folder, found, left, output, quiet=yes and not dry_run)
    if dry_run or not (kept(folder).is_dir() or found):
        return
    demand_yes(yes)
    _remove(folder, fleet, found)


def _fleet(folder: Path) -> Fleet:
    from hardway.places.power.choose import fleet_of
    from hardway.workspace.folder import open_workspace

    return fleet_of(open_workspace(folder))


def _removals(fleet: Fleet | None) -> list[Change]:
    if fleet is None:
        return []
    with busy("asking libvirt"):
        return fleet.removals(())


def _remove(folder: Path, fleet: Fleet | None, found: list[Change]) -> None:
    from hardway.places.own.up import alone
    from hardway.places.remembered import forget, kept

    with alone(kept(folder)), busy("removing what is this cluster's"):
        if fleet is not None:
            fleet.take_down((), found)
        forget(folder)


def _print(folder: Path, found: list[Change], left: list[str], output: str, *, quiet: bool) -> None:
    from hardway.places.remembered import kept

    record = kept(folder)
    rows = [str(record)] if record.is_dir() else []
    if not rows and not found and output == "text":
        tell("no cluster of this folder is recorded; if it runs on machines of your own, they are left to you:")
    if output == "json":
        print_json({"changes": [change.as_dict() for change in found], "records": rows, "left": left})
        return
    say = tell if quiet else show
    for change in found:
        say(str(change))
    for row in rows:
        say(f"{'remove':9} {'record':8} {row}")
    for text in left:
        say(f"{'leave':9} {text}")


def _left(cluster: Cluster) -> list[str]:
    """What only its owner can remove."""
    names = ", ".join(node.name for node in cluster.nodes)
    return [
        f"machines {names}: switch them off, and erase their disks, which hold keys of the cluster",
        f"load balancer: its entries for {', '.join(dict.fromkeys((*cluster.api_vips, *cluster.ingress_vips)))}",
        f"DNS: the names of {cluster.domain}",
    ]
