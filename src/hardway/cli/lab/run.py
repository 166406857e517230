"""hardway lab run: one stage, for those who want to see each for itself."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.lab.place import as_root, lab_of, replace_option, replacing
from hardway.cli.options import complete_stage, ignore_option, output_option, print_json
from hardway.cli.report import print_ignored
from hardway.cli.stage import print_verified, why
from hardway.stages.table import after, find


@click.command()
@click.argument("stage", shell_complete=complete_stage)
@replace_option
@click.option("--dry-run", is_flag=True, help="Say what would be done and what is missing; change nothing.")
@ignore_option
@output_option
@click.pass_obj
def run(
    folder: Path, stage: str, replaced: tuple[str, ...], dry_run: bool, ignore: frozenset[str], output: str
) -> None:
    """Run one stage: print its purpose, do its work, and verify the result.

    Stages run in order; a stage that is run too early reports what is missing. Stages 02 to 08, everything that the
    nodes need, run together; the verification is that of the stage you name. A stage can be run again. Except for
    stage 01, which only looks at this machine, the folder must have a lab: `hardway lab up` makes it.

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
    from hardway.cli.lab.plan import added, planned, print_plan
    from hardway.cli.lab.view import watched, watching
    from hardway.lab import cluster_files, prerequisites, releases
    from hardway.lab import run as lab
    from hardway.lab.lock import alone
    from hardway.lab.prepared import to_compile

    row = find(stage)
    paths, cluster = lab_of(folder)
    if not dry_run and row.work != "examine":
        as_root()
    lab.demand_lab(paths, row)
    if output == "text":
        why(row)
    if dry_run:
        asked = (folder, cluster, range(int(row.number), int(row.number) + 1), ignore)
        print_json(planned(*asked)) if output == "json" else print_plan(*asked)
        return
    machine = prerequisites.demand(paths, cluster, ignore)
    print_ignored(machine.ignored)
    replacing(cluster, folder, replaced)
    if row.work in lab.IN_ONE_GO:
        announce(to_compile(cluster, [made.name for made in releases.installed(paths)]))
    with alone(paths, f"`hardway lab run {row.number}`"):
        if row.work in lab.IN_ONE_GO:
            added(folder, cluster_files.adopt(folder, cluster))
        with watched(int(row.number), output) as view:
            watch = watching(view)
            lab.run(folder, row, view.prepare, view.watchers, watch)
            found = lab.verified(folder, row, watch, machine, ignore)
        following = after(row)
        print_verified(row, found, output, following.lab if following else "")
