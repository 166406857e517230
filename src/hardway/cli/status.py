"""hardway status: where the folder stands, and where its cluster runs."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.options import counted, output_option, print_json
from hardway.cli.own.standing import print_standing
from hardway.cli.terminal.text import ours, show, tell
from hardway.cli.terminal.work import busy

if TYPE_CHECKING:
    from hardway.pipeline.status import StageStatus
    from hardway.places.own.cluster import OwnCluster
    from hardway.places.own.status import Status
    from hardway.places.remembered import Place
    from hardway.workspace.folder import Workspace

COMMAND = "`hardway "


@click.command()
@output_option
@click.pass_obj
def status(folder: Path, output: str) -> None:
    """Which stages are built, verified, stale, and why; and where the cluster runs.

    \b
    not built       none of its files are on disk
    partial         some of its files could not be made; the line below says why
    stale           an input has changed since the build
    built           up to date, not verified since the build
    verified        up to date, and verification found no defects
    faulty          up to date, and verification found defects
    not recorded    there is no record of it; the command below shows its state and changes nothing
    not run         it needs a running cluster; the command below makes a lab, `hardway up` uses machines of your own
    reached         on libvirt or on machines of your own: every milestone of the stage was reached once
    in the lab      this machine has a lab of the cluster

    The row `place` is what `hardway infra up`, `hardway up` and `hardway run` have remembered: the libvirt, or machines
    of your own, and the admin socket of the load balancer. Then the machines and the cluster are asked: nodes,
    milestones, what comes next and, of a milestone that has stalled or is lost again, the cause as `hardway doctor`
    finds it. Of a lab, `hardway lab status` shows it.

    \b
    on          the node is on: port 22, 6443 or 10250 answers
    no answer   libvirt says that it is on, and none of these ports answers
    off         it is off, or there is no way to it
    """
    from hardway.lab.owner import has_lab
    from hardway.lab.stages import stages
    from hardway.places.remembered import read
    from hardway.workspace.folder import open_workspace

    workspace = open_workspace(folder)
    lab, place = has_lab(workspace.loaded.cluster.name, folder), read(folder)
    rows = stages(workspace)
    found, trouble = _machines(folder) if place and not lab else (None, "")
    if output == "json":
        machines = found.as_dict() | {"trouble": trouble} if found else {"trouble": trouble} if trouble else None
        print_json({"place": _as_dict(lab, place), "stages": [row.as_dict() for row in rows], "machines": machines})
        return
    for row in rows:
        _print_row(row)
    if lab or place:
        show(f"\n{'place':9} {_text(lab, place)}")
    if found:
        print_standing(found, f"{ours()} up")
    elif trouble:
        show(trouble)
    _print_notes(workspace)


def _machines(folder: Path) -> tuple[Status | None, str]:
    """How the cluster stands there, or why nobody can say."""
    from hardway.cli.own.place import socket_of
    from hardway.cli.ssh import demand_client
    from hardway.model.errors import HardwayError
    from hardway.model.stages import number
    from hardway.places.own.cluster import opened
    from hardway.places.own.status import is_stuck
    from hardway.places.own.status import status as standing

    try:
        demand_client()
        with busy("asking the machines and the cluster"), opened(folder, socket=socket_of(folder, None)) as own:
            found = standing(own, number("convergence"))
            return (replace(found, causes=_causes(own, folder)) if is_stuck(own, found) else found), ""
    except HardwayError as error:
        return None, str(error)


def _causes(own: OwnCluster, folder: Path) -> tuple[str, ...]:
    from hardway.doctor.own import causes

    return tuple(f"{cause.text}; seen: {cause.evidence}" for cause in causes(own, folder, stalled=False))


def _print_notes(workspace: Workspace) -> None:
    from hardway.model.entropy import SystemEntropy
    from hardway.pipeline.select import deadline_line, passed, unrenewed_line
    from hardway.pipeline.status import record_line

    now = SystemEntropy().now()
    if record := record_line(workspace):
        show(f"\n{record}")
    if deadline := deadline_line(workspace, now):
        (show if passed(workspace, now) else tell)(f"\n{deadline}")
    if renewal := unrenewed_line(workspace):
        tell(f"\n{renewal}")


def _as_dict(lab: bool, place: Place | None) -> dict[str, Any] | None:
    if lab:
        return {"kind": "lab"}
    return asdict(place) if place else None


def _text(lab: bool, place: Place | None) -> str:
    if lab or place is None:
        return "the lab on this machine"
    balancer = f"; load balancer: HAProxy at {place.socket}" if place.socket else ""
    return ("machines of your own" if place.kind == "own" else f"libvirt {place.connect}".rstrip()) + balancer


def _print_row(row: StageStatus) -> None:
    """Only a state of at most ten letters has files, and so a line fits 60 columns. A command is a next step."""
    files = counted(row.files, "file") if row.files else ""
    files += f", {row.own} of them yours" if row.own else ""
    show(f"{row.stage.label:38} {row.state:10} {files}".rstrip())
    for reason in row.reasons:
        if reason.startswith("hardway "):
            tell(f"{'':6} {reason.replace('hardway', ours(), 1)}")
        else:
            (tell if COMMAND in reason else show)(f"{'':6} {reason}")
