"""hardway verify: read the artifacts back and check them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.options import chosen, counted, output_option, print_json, stages_argument
from hardway.model.check import Report
from hardway.model.errors import CheckError, ConfigError

if TYPE_CHECKING:
    from hardway.checks.files.artifacts import Artifacts
    from hardway.model.check import Check
    from hardway.workspace.folder import Workspace


@click.command()
@stages_argument
@click.option(
    "--assets", type=click.Path(path_type=Path, file_okay=False), help="Another folder of artifacts to check."
)
@click.option("--list", "list_checks", is_flag=True, help="List the checks instead of running them.")
@output_option
@click.pass_obj
def verify(folder: Path, stages: tuple[str, ...], assets: Path | None, list_checks: bool, output: str) -> None:
    """Read the artifacts of the given stages (or all) back from disk and check them.

    A check never asks what was built: it reads files, so it can be pointed at artifacts that something else
    made. Stage 01 reads this machine instead. All defects are shown at once, each with its place, its failure id and
    its fix. Exit code 4 if there is an error among them.
    """
    from hardway.checks.files.table import TABLE

    named = chosen(stages)
    checks = [c for c in TABLE if c.stage in {s.number for s in named}]
    host = any(s.number == "01" for s in named)
    if not checks and not host:
        labels = ", ".join(s.label for s in named)
        raise ConfigError(f"{labels}: there is nothing to verify yet.\n    fix: `hardway status` lists what there is")
    if list_checks:
        _list(checks, output)
        return
    if assets is not None and not assets.is_dir():
        raise ConfigError(f"{assets}: there is no such folder.\n    fix: name a folder with artifacts")
    from hardway.checks.files.folder import remember, verify_folder
    from hardway.workspace.folder import open_workspace
    from hardway.workspace.names import RELEASE

    workspace = open_workspace(folder)
    if [s.number for s in named] == ["04"] and not ((assets or workspace.store.root) / RELEASE).is_dir():
        message = "there is nothing to verify yet.\n    fix: read the release first, with `hardway build 04`"
        raise ConfigError(f"{named[0].label}: {message}")
    report = verify_folder(workspace, checks, assets)
    if host:
        report = Report.merge([_prerequisites(workspace), report])
    _print(report, output)
    if assets is None:
        remember(workspace, report, checks)
    if not report.ok:
        raise CheckError(f"verification failed: {counted(len(report.errors), 'error')}")


def _prerequisites(workspace: Workspace) -> Report:
    from hardway.checks.host.examine import prerequisites
    from hardway.libvirt.choices import choose

    loaded = workspace.loaded
    choices = choose(loaded.settings.infra)
    return prerequisites(loaded.cluster, workspace.store.root, choices=choices, hosts=loaded.hosts)


def _list(checks: list[Check[Artifacts]], output: str) -> None:
    if output == "json":
        rows = [{"check": c.name, "stage": c.stage, "failure": c.failure, "what": c.why.what} for c in checks]
        print_json(rows)
        return
    for check in checks:
        click.echo(f"{check.stage}  {check.name:28} {check.failure:4} {check.why.what}")


def _print(report: Report, output: str) -> None:
    if output == "json":
        print_json({"ran": list(report.ran), "findings": [f.as_dict() for f in report.findings], "ok": report.ok})
        return
    for finding in report.findings:
        tail = f" ({finding.failure})" if finding.failure else ""
        click.echo(f"{finding.severity}: {finding.subject}: {finding.message} [{finding.check}]{tail}")
        click.echo(f"    fix: {finding.fix}")
    click.echo(f"{counted(len(report.ran), 'check')} ran, {counted(len(report.findings), 'finding')}")
