"""hardway lab status: how the lab stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.lab.deviation import deviation_text
from hardway.cli.lab.place import as_root, directory_argument, lab_of
from hardway.cli.options import counted, in_folder, output_option, print_json
from hardway.cli.terminal.text import show
from hardway.cli.terminal.work import busy

if TYPE_CHECKING:
    from hardway.lab.paths import LabPaths
    from hardway.lab.status import DeviationRow, Status


@click.command()
@directory_argument
@click.option("--deviations", "differences", is_flag=True, help="Where the lab differs from OpenShift, and why.")
@click.option("--timings", is_flag=True, help="Where the time of `lab up` went: the longest waits and their causes.")
@output_option
@click.pass_obj
def status(folder: Path, directory: Path, differences: bool, timings: bool, output: str) -> None:
    """Nodes, etcd's members, milestones, release and availability of a lab, also of one that is not complete.

    A row `source` is a component of the release that was compiled from a checkout, with what git described it as.

    While a lab comes up, from stage 11 on, a client sends ten probes a second to the API; every other one is a
    write. The row `available` has the result: failed requests, lost writes, longest gap.

    \b
    absent      the node has no root yet
    off         it has one, and does not run
    cause       of a milestone that has stalled or is lost again: the first of what `hardway doctor` finds
    finished    every milestone was reached once; this is known also while nodes are off
    starting, running, degraded   systemd's states of a running node
    """
    from hardway.lab import status as lab

    place = in_folder(folder / directory)
    paths, cluster = lab_of(place)
    as_root()
    if timings:
        _print_timings(paths, output)
        return
    rows = lab.deviations(cluster) if differences else ()
    with busy("asking the nodes and the cluster"):
        found = lab.status(place)
    if output == "json":
        shown = {"deviations": [row.as_dict() for row in rows]} if differences else {}
        print_json(found.as_dict() | shown)
    elif differences:
        _print_deviations(rows)
    else:
        _print(found)


def _print(found: Status) -> None:
    if not found.up and all(node.state == "absent" for node in found.nodes):
        show(f"lab       {found.name}, not on this machine yet; `hardway lab up` brings it up")
        return
    state = "up" if found.up else "not up; `hardway lab up` brings it up, `hardway lab down` removes the rest"
    show(f"lab       {found.name}, {state}")
    show(f"network   {found.network}")
    show(f"release   {found.release}")
    for row in found.sources:
        show(f"source    {row['name']} {row['describe'] or 'not in git'}, from a checkout")
    for base in found.bases:
        show(f"base      {base}")
    running = [name if runs else f"{name} (off)" for name, runs in found.services.items()]
    show(f"services  {', '.join(running)}")
    for node in found.nodes:
        show(f"node      {node.name:<14} {node.role:<10} {node.address:<16} {node.state:<9} {node.ready}".rstrip())
    for member in found.sight.members:
        show(f"member    {member.name:<14} {member.state}")
    _print_milestones(found)
    if found.pulse:
        from hardway.drive.pulse import Figures

        for number, line in enumerate(Figures(**found.pulse).lines):
            show(f"{'' if number else 'available':<10}{line}")
    if found.trouble:
        show(f"the cluster does not answer: {found.trouble}")


def _print_milestones(found: Status) -> None:
    reached = [row for row in found.milestones if row.reached or row.before]
    show(f"reached   {len(reached)} of {counted(len(found.milestones), 'milestone')}")
    for row in reached:
        show(f"          {row.stage} {row.name}")
    if found.finished and found.off:
        show(f"finished  off now: {', '.join(found.off)}; `hardway lab up` starts them and waits for the cluster")
    elif found.finished and found.waiting and found.up:
        show(f"finished  but {found.waiting.name} waits for {found.waiting.missing}")
    elif (coming := found.next) and found.waiting and found.up:
        show(f"next      {coming.stage} {coming.name}: waits for {found.waiting.missing}")
    for text in found.causes:
        show(f"cause     {text}")
    if found.causes:
        show("          `hardway doctor` shows what follows from it, and what to do")


def _print_deviations(rows: tuple[DeviationRow, ...]) -> None:
    for row in rows:
        show(deviation_text(row.kind, row.subject, what=row.what, why=row.why))


def _print_timings(paths: LabPaths, output: str) -> None:
    from hardway.drive import record
    from hardway.drive.waits import waits

    rows = waits(record.events(paths.folder))
    if output == "json":
        print_json({"waits": [row.as_dict() for row in rows]})
    elif not rows:
        show(f"lab {paths.name} has no record of waits; `hardway lab up` makes one")
    for row in rows if output == "text" else ():
        show(row.line())
