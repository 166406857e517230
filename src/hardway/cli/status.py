"""hardway status: where the folder stands."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.options import counted, output_option, print_json


@click.command()
@output_option
@click.pass_obj
def status(folder: Path, output: str) -> None:
    """Which stages are built, verified, stale, and why.

    \b
    makes no files  look with the command that is named
    not built       nothing of it is on disk
    stale           something it is made of has changed since
    built           up to date, not verified since it was made
    verified        up to date, and verification found nothing wrong
    faulty          up to date, and verification found defects
    """
    from hardway.model.entropy import SystemEntropy
    from hardway.pipeline.select import deadline_line
    from hardway.pipeline.status import status as stage_status
    from hardway.workspace.folder import open_workspace

    workspace = open_workspace(folder)
    rows = stage_status(workspace)
    if output == "json":
        print_json([row.as_dict() for row in rows])
        return
    for row in rows:
        files = counted(row.files, "file") if row.files else ""
        click.echo(f"{row.stage.label:38} {row.state:14} {files}".rstrip())
        for reason in row.reasons:
            click.echo(f"{'':6} {reason}")
    if line := deadline_line(workspace, SystemEntropy().now()):
        click.echo(f"\n{line}")
