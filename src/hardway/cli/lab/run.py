"""hardway lab run: one stage, for those who want to see each for itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.lab.place import lab_of, replace_option, replacing
from hardway.cli.options import complete_stage, counted, ignore_option, output_option
from hardway.cli.report import print_ignored
from hardway.cli.terminal.text import show
from hardway.model.errors import CheckError
from hardway.stages.table import after, find

if TYPE_CHECKING:
    from hardway.lab.run import Verified
    from hardway.stages.row import Stage


@click.command()
@click.argument("stage", shell_complete=complete_stage)
@replace_option
@ignore_option
@output_option
@click.pass_obj
def run(folder: Path, stage: str, replaced: tuple[str, ...], ignore: frozenset[str], output: str) -> None:
    """Run one stage: print its purpose, do its work, and verify the result.

    Stages run in order; a stage that is run too early reports what is missing. Stages 02 to 08, everything that the
    nodes need, run together; the verification is that of the stage you name. A stage can be run again.

    \b
    All stages, with one master:
      hardway lab up demo --topology 1+0 --until 08; cd demo
      hardway lab run 09       every node's root, from its own Ignition file
      hardway lab run 10       the bootstrap node boots, and CVO starts
      hardway lab run 11       masters join
      hardway lab run 12       etcd grows, every master serves the API
      hardway lab run 13       the bootstrap node leaves
      hardway lab run 14       and so on, to 17
    """
    from hardway.cli.lab.compiling import announce
    from hardway.cli.lab.view import watched, watching
    from hardway.lab import prerequisites
    from hardway.lab import run as lab
    from hardway.lab.lock import alone
    from hardway.lab.prepared import to_compile

    row = find(stage)
    paths, cluster = lab_of(folder)
    if output == "text":
        _why(row)
    machine = prerequisites.demand(paths, cluster, ignore)
    print_ignored(machine.ignored)
    replacing(cluster, folder, replaced)
    if row.work in lab.IN_ONE_GO:
        announce(to_compile(cluster))
    with alone(paths, f"`hardway lab run {row.number}`"):
        with watched(int(row.number), output) as view:
            watch = watching(view)
            lab.run(folder, row, view.prepare, view.watchers, watch)
            found = lab.verified(folder, row, watch, machine, ignore)
        _print(row, found, output)


def _why(stage: Stage) -> None:
    show(f"stage {stage.label}\n  why      {stage.why.what}\n  without  {stage.why.breaks}")
    for row in stage.reaches:
        show(f"  {row.name}: {row.why.what}\n    made by  {row.who}\n    without  {row.why.breaks}")
    show("")


def _print(stage: Stage, rows: list[Verified], output: str) -> None:
    wrong = [row for row in rows if not row.ok]
    if output == "json":
        for row in rows:
            said = {"kind": "verified", "stage": stage.number, "name": row.name, "ok": row.ok, "text": row.text}
            said["state"] = row.state
            click.echo(json.dumps(said))
    else:
        show("\nverified:")
        for row in rows:
            show(f"  {row.state:<6} {row.name}: {row.text}")
    if wrong:
        raise CheckError(f"stage {stage.number}: verification failed: {counted(len(wrong), 'defect')}")
    if output == "text" and (following := after(stage)):
        show(f"\nnext: {following.lab}")
