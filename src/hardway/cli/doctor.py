"""hardway doctor: what is wrong, why, and what to do."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import click

from hardway.cli.options import counted, ignore_option, in_folder, output_option, print_json
from hardway.cli.report import numbers, print_skipped
from hardway.cli.ssh import identity_option
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy
from hardway.model.errors import CheckError

if TYPE_CHECKING:
    from hardway.doctor.diagnosis import Case, Diagnosis, Root
    from hardway.model.check import Finding, Report
    from hardway.workspace.folder import Workspace

NOT_LATER = timedelta(0)
SHOWN = 3
"""Findings of one case that are printed; -o json has all."""


class DurationType(click.ParamType):  # type: ignore[type-arg]
    """A number and a unit."""

    name = "time"
    units: ClassVar = {"s": 1, "m": 60, "h": 3600, "d": 86400}

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        found = re.fullmatch(r"(\d{1,6})([smhd])", value)
        if found is None:
            self.fail(f"{value!r} is not a number with the unit s, m, h or d, such as 30m.", param, ctx)
        return timedelta(seconds=int(found[1]) * self.units[found[2]])


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "--kubeconfig",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Ask a running cluster, as this administrator. Without PATH, only that is examined.",
)
@click.option(
    "--since",
    type=DurationType(),
    metavar="TIME",
    help="Of journals and events, only those of the last 30m, 2h or 1d.",
)
@click.option(
    "--later",
    type=DurationType(),
    default="0s",
    metavar="TIME",
    help="Judge a running cluster as if 30m, 2h or 1d had passed and nothing had changed.",
)
@click.option(
    "--log",
    "logs",
    multiple=True,
    metavar="FILE",
    type=click.Path(),
    help="Read a journal, a console's log or a component's; - is standard input. Without PATH, only logs are read.",
)
@click.option(
    "--assets",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Read a folder of openshift-install. Without PATH, only that and logs are read.",
)
@identity_option
@click.option("--fix", is_flag=True, help="Correct what is safe to correct: files and folders that others can read.")
@click.option("--host", is_flag=True, help="Also examine this machine, as `hardway prerequisites` does.")
@click.option(
    "--network", is_flag=True, help="Also probe DNS, load balancer and mirrors, as `hardway network check` does."
)
@ignore_option
@output_option
@click.pass_obj
def doctor(
    folder: Path,
    path: Path | None,
    kubeconfig: Path | None,
    since: timedelta | None,
    later: timedelta,
    logs: tuple[str, ...],
    assets: Path | None,
    identity: Path | None,
    fix: bool,
    host: bool,
    network: bool,
    ignore: frozenset[str],
    output: str,
) -> None:
    """Say what is wrong, why, and what to do: the cause first, and under it what follows from it.

    It runs every check that fits, and changes nothing unless --fix is given. PATH is a cluster's folder (default:
    this one, or that of -C): the files of all stages that are built are read back. If the cluster runs, in the lab, on
    libvirt or on machines of your own that `hardway up` drives, its machines, API and journals are examined too. PATH
    may also be an archive of `hardway gather`, a log bundle of openshift-install or a must-gather. --kubeconfig asks
    any running cluster. --host and --network look at this machine and at its network too. --log reads what machines and
    components wrote, and compares each line with words that are known to come with a failure mode. --assets checks the
    files of another installer.

    A finding has the place and the evidence, the failure mode (F01 and on: `hardway explain failure/F06`), what
    is affected, a fix and a command. One defect is often found in several places: a replaced signer is also wrong in
    kubeconfigs and Ignition files. A table of causes and effects decides what is shown as the cause. Correct the
    cause, and run the command again. Some lines of a log are normal in the first minutes of an installation, and some
    have several causes: then the command says what would decide, instead of a guess. Exit code 4 if something is wrong.

    \b
    Examples:
      hardway doctor                        the files of this folder, and its cluster
      hardway doctor mycluster --network    its files, DNS and load balancer
      hardway doctor --ignore F36 -o json   for a program; F36 does not fail
      hardway doctor --fix                  correct the modes of files, and look again
      hardway doctor --kubeconfig auth/kubeconfig --since 1h
      hardway doctor must-gather.tar.gz     an archive
      journalctl -b | hardway doctor --log -
      hardway doctor --assets ocp4          a folder of openshift-install
    """
    from hardway.doctor.diagnosis import diagnose
    from hardway.doctor.told import as_dict
    from hardway.model.check import Report

    with busy("looking at everything that can be seen"):
        reports = [_log(name) for name in logs]
        reports += [_assets(assets)] if assets else []
        reports += [_cluster(kubeconfig, since, later)] if kubeconfig else []
        if path and path.is_file():
            reports.append(_archive(path))
        elif path or host or network or not reports:
            place = in_folder(path) if path else folder
            look = partial(folder_reports, place, identity, host=host, network=network, since=since, later=later)
            seen = look()
            if fix and _repaired(place, seen):
                seen = look()
            reports += seen
    diagnosis = diagnose(Report.merge(reports).ignoring(ignore))
    print_json(as_dict(diagnosis)) if output == "json" else _print(diagnosis)
    if not diagnosis.report.ok:
        raise CheckError(f"something is wrong: {_causes(diagnosis)}")


def _log(name: str) -> Report:
    from hardway.doctor.log import read

    return read(name)


def _assets(root: Path) -> Report:
    from hardway.doctor.assets import read

    return read(root)


def _archive(path: Path) -> Report:
    from hardway.doctor.bundle import read

    return read(path)


def _cluster(kubeconfig: Path, since: timedelta | None, later: timedelta) -> Report:
    from hardway.doctor.running import examine
    from hardway.drive.access import given_kubeconfig
    from hardway.drive.client import Client

    return examine(Client(given_kubeconfig(kubeconfig)), since=since, later=later)


def folder_reports(
    folder: Path,
    identity: Path | None,
    *,
    host: bool,
    network: bool,
    since: timedelta | None,
    later: timedelta = NOT_LATER,
) -> list[Report]:
    from hardway.doctor import folder as seen
    from hardway.workspace.folder import open_workspace

    workspace = open_workspace(folder)
    looks = [seen.files, *([seen.host] if host else []), *([seen.network] if network else [])]
    cluster = _lab(workspace, since, later) or _own(workspace, identity, since, later)
    return [*(look(workspace) for look in looks), *cluster]


def _repaired(folder: Path, reports: list[Report]) -> bool:
    """Whether anything was corrected; each correction is told."""
    from hardway.doctor.repair import repair
    from hardway.workspace.names import ASSETS

    done = repair(folder / ASSETS, (finding for report in reports for finding in report.findings))
    for row in done:
        tell(f"fixed: {ASSETS}/{row.path}: its mode was {row.before:04o}, and is {row.now:04o} now")
    return bool(done)


def _lab(workspace: Workspace, since: timedelta | None, later: timedelta) -> list[Report]:
    """Of the folder, if it has one and it is up."""
    from hardway.lab.owner import has_lab
    from hardway.model.check import Report

    if not has_lab(workspace.loaded.cluster.name, workspace.folder):
        return []
    if os.geteuid() != 0:
        note = "The lab was not examined, which takes root: run the command with sudo."
        return [Report(ran=(), findings=(), notes=(note,))]

    from hardway.lab.diagnosis import of_folder

    return [of_folder(workspace.folder, since, later)]


def _own(workspace: Workspace, identity: Path | None, since: timedelta | None, later: timedelta) -> list[Report]:
    """On libvirt or on machines of your own, if a command has noted that the cluster runs there."""
    from hardway.cli.own.place import socket_of
    from hardway.cli.ssh import demand_client, demand_private
    from hardway.doctor.own import examine
    from hardway.model.check import Report
    from hardway.model.errors import HardwayError
    from hardway.places.own.cluster import opened
    from hardway.places.remembered import read

    demand_private(identity)
    if read(workspace.folder) is None:
        return []
    try:
        demand_client()
        with opened(workspace.folder, identity, socket_of(workspace.folder, None)) as own:
            return [examine(own, since, later)]
    except HardwayError as error:
        reason = str(error).partition("\n")[0]
        return [Report(ran=(), findings=(), notes=(f"The machines were not examined: {reason}",))]


def _causes(diagnosis: Diagnosis) -> str:
    return counted(sum(root.failing for root in diagnosis.roots), "cause")


def _print(diagnosis: Diagnosis) -> None:
    for root in diagnosis.roots:
        _print_root(root)
    report = diagnosis.report
    print_skipped(report)
    tell(f"{numbers(report)}, {_causes(diagnosis)}")
    for note in report.notes:
        show(note)


def _print_root(root: Root) -> None:
    from hardway.doctor.told import affected, because, cause, command

    first = root.case.findings[0]
    _print_findings(root.case, "")
    show(f"    {_label(first)}: {cause(root.case)}")
    show(f"    effect: {first.breaks}")
    if who := affected(first):
        show(f"    affected: {who}")
    if first.decide:
        show(f"    decide: {first.decide}")
    run = command(first)
    if not first.candidates and first.fix not in (f"`{run}`", f"run `{run}`"):
        show(f"    fix: {first.fix}")
    show(f"    command: {run}")
    for effect in root.effects:
        _print_findings(effect.case, "    follows: ")
        show(f"        because: {because(effect)}")


def _label(finding: Finding) -> str:
    return "cause" if finding.failure else "either" if finding.candidates else "expected"


def _print_findings(case: Case, lead: str) -> None:
    for finding in case.findings[:SHOWN]:
        show(f"{lead}{_line(finding, bare=bool(lead))}")
        lead = lead and " " * len(lead)
    if more := case.findings[SHOWN:]:
        show(f"    and {counted(len(more), 'more finding')} of the same kind; -o json has all")


def _line(finding: Finding, *, bare: bool) -> str:
    return finding.line if bare else f"{finding.label}: {finding.line}"
