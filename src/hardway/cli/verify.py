"""hardway verify: read the artifacts back and check them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.options import chosen, counted, ignore_option, output_option, print_json, stages_argument
from hardway.cli.report import print_checks, print_report
from hardway.model.check import Report
from hardway.model.errors import CheckError, ConfigError

if TYPE_CHECKING:
    from hardway.workspace.folder import Workspace


@click.command()
@stages_argument
@click.option(
    "--assets", type=click.Path(path_type=Path, file_okay=False), help="Another folder of artifacts to check."
)
@click.option("--list", "list_checks", is_flag=True, help="List the checks instead of running them.")
@ignore_option
@output_option
@click.pass_obj
def verify(
    folder: Path,
    stages: tuple[str, ...],
    assets: Path | None,
    list_checks: bool,
    ignore: frozenset[str],
    output: str,
) -> None:
    """Read the artifacts of the given stages (or all) back from disk and check them.

    A check never asks what was built: it reads files, so it can be pointed at artifacts that something else
    made. Stage 01 reads this machine instead. All defects are shown at once, each with its place, its failure id and
    its fix. A check that has nothing to look at is skipped, and its reason is given. Exit code 4 if there is an error.
    """
    from hardway.checks.files.table import TABLE

    named = chosen(stages)
    checks = [c for c in TABLE if c.stage in {s.number for s in named}]
    host = any(s.number == "01" for s in named)
    if not checks and not host:
        labels = ", ".join(s.label for s in named)
        raise ConfigError(f"{labels}: there is nothing to verify yet.\n    fix: `hardway status` lists what there is")
    if list_checks:
        from hardway.checks.host.table import TABLE as HOST

        print_checks((*(HOST if host else ()), *checks), output)
        return
    if assets is not None and not assets.is_dir():
        raise ConfigError(f"{assets}: there is no such folder.\n    fix: name a folder with artifacts")
    from hardway.checks.files.folder import is_empty, remember, verify_folder
    from hardway.workspace.folder import open_workspace
    from hardway.workspace.names import RELEASE

    workspace = open_workspace(folder)
    if [s.number for s in named] == ["04"] and not ((assets or workspace.store.root) / RELEASE).is_dir():
        message = "there is nothing to verify yet.\n    fix: read the release first, with `hardway build 04`"
        raise ConfigError(f"{named[0].label}: {message}")
    if checks and is_empty(assets or workspace.store.root):
        fix = "name a folder with artifacts" if assets else "run `hardway build`"
        raise CheckError(f"{assets or workspace.store.root}: nothing is built yet.\n    fix: {fix}")
    report = verify_folder(workspace, checks, assets)
    if host:
        report = Report.merge([_prerequisites(workspace), report])
    report = report.ignoring(ignore)
    print_json(report.as_dict()) if output == "json" else print_report(report)
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
