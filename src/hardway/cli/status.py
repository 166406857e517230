"""hardway status: where the folder stands."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.options import counted, output_option, print_json
from hardway.cli.terminal.text import show


@click.command()
@output_option
@click.pass_obj
def status(folder: Path, output: str) -> None:
    """Which stages are built, verified, stale, and why.

    \b
    not built       none of its files are on disk
    partial         some of its files could not be made; the line below says why
    stale           an input has changed since the build
    built           up to date, not verified since the build
    verified        up to date, and verification found no defects
    faulty          up to date, and verification found defects
    not recorded    it leaves no files; the command below shows its state
    not run         only a lab runs it, and this machine has no lab of the cluster
    in the lab      this machine has a lab of the cluster
    """
    from hardway.lab.owner import has_lab
    from hardway.model.entropy import SystemEntropy
    from hardway.pipeline.select import deadline_line
    from hardway.pipeline.status import status as stage_status
    from hardway.workspace.folder import open_workspace

    workspace = open_workspace(folder)
    rows = stage_status(workspace, lab=has_lab(workspace.loaded.cluster.name, folder))
    if output == "json":
        print_json([row.as_dict() for row in rows])
        return
    for row in rows:
        files = counted(row.files, "file") if row.files else ""
        show(f"{row.stage.label:38} {row.state:14} {files}".rstrip())
        for reason in row.reasons:
            show(f"{'':6} {reason}")
    if line := deadline_line(workspace, SystemEntropy().now()):
        show(f"\n{line}")
