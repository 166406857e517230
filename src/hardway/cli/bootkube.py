"""hardway bootkube: bootkube's stages, to read and to run one by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.lab.place import as_root, directory_argument
from hardway.cli.options import in_folder, output_option, print_json
from hardway.cli.terminal.text import note, show, tell
from hardway.model.errors import ConfigError

if TYPE_CHECKING:
    from hardway.bootkube.row import Stage

SAID = {"begins": "begins", "done": "done", "done by an earlier run": "kept"}  # the script's words of a stage


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.bootkube.table import BY_NAME

    return [name for name in BY_NAME if name.startswith(incomplete)]


@click.command()
@directory_argument
@click.option("--list", "listed", is_flag=True, help="List every stage with its purpose and its marker; run nothing.")
@click.option("--explain", metavar="STAGE", shell_complete=_complete, help="Explain one stage; run nothing.")
@click.option("--only", metavar="STAGE", shell_complete=_complete, help="Run this stage alone.")
@click.option("--from", "first", metavar="STAGE", shell_complete=_complete, help="Run this stage and those after it.")
@click.option("--until", metavar="STAGE", shell_complete=_complete, help="Stop after this stage.")
@click.option("--again", is_flag=True, help="Run a stage even if its marker says that it is done.")
@click.option("--dry-run", is_flag=True, help="Say which stages would be run; run none.")
@output_option
@click.pass_obj
def bootkube(
    folder: Path,
    directory: Path,
    listed: bool,
    explain: str | None,
    only: str | None,
    first: str | None,
    until: str | None,
    again: bool,
    dry_run: bool,
    output: str,
) -> None:
    """What bootkube.sh does on the bootstrap node, stage by stage.

    On an ordinary bootstrap node one script lets every operator render its part, starts a temporary control plane
    from the result, and creates the cluster's first objects. Here you can read each of its stages. With `road:
    rendered`, bootstrap.ign has them as a script, which the machine runs at boot; on a lab's bootstrap node you can
    run a stage of it alone. A finished stage leaves a marker in /opt/openshift on the node, as in bootkube.sh, and is
    not run again.

    \b
    Examples:
      hardway bootkube --list                      all stages, in order
      hardway bootkube --explain etcd-bootstrap    what it waits for, reads and writes
      hardway lab up demo --road rendered          a lab in which stages can be run
      hardway bootkube demo --only api-dns-check   one stage on its bootstrap node
      hardway bootkube demo --from wait-for-etcd   this stage and all after it
    """
    from hardway.bootkube import table, text

    asked = [word for word in (explain, only, first, until) if word]
    rows = {word: table.find(word) for word in asked}
    if sum(map(bool, (listed, explain, only, first))) > 1:
        raise ConfigError("--list, --explain, --only and --from exclude each other.\n    fix: give one of them")
    if listed:
        print_json([row.as_dict() for row in table.TABLE]) if output == "json" else show(text.listed(table.TABLE))
    elif explain:
        row = rows[explain]
        print_json(row.as_dict()) if output == "json" else show(text.explained(row))
    else:
        chosen = _chosen(rows.get(only or ""), rows.get(first or ""), rows.get(until or ""))
        _run(in_folder(folder / directory), chosen, again=again, dry_run=dry_run, output=output)


def _chosen(only: Stage | None, first: Stage | None, last: Stage | None) -> tuple[Stage, ...]:
    from hardway.bootkube.table import chosen

    found = chosen(only=only, first=first, last=last)
    if not found:
        raise ConfigError("--until names a stage before --from.\n    fix: `hardway bootkube --list` has their order")
    return found


def _run(place: Path, stages: tuple[Stage, ...], *, again: bool, dry_run: bool, output: str) -> None:
    from hardway.cli.lab.place import lab_of
    from hardway.lab import rendered
    from hardway.lab.lock import alone
    from hardway.lab.prepared import opened

    paths, cluster = lab_of(place)
    rendered.demand_road(place, cluster)
    as_root()
    prepared = opened(place)
    rendered.demand_node(prepared)
    told: list[dict[str, str]] = []
    titles = {f"{stage.title}: {words}": (stage, state) for stage in stages for words, state in SAID.items()}

    def heard(line: str) -> None:
        """What the script says: of a stage, or of what happens in it."""
        if line not in titles:
            note(f"    {line}")
            return
        stage, state = titles[line]
        if state != "begins":
            told.append({"stage": stage.name, "state": state})
        if output == "text":
            tell(f"{stage.title}: ..." if state == "begins" else line)

    if dry_run:
        for stage in stages:
            kept = rendered.is_done(prepared, stage) and not again
            told.append({"stage": stage.name, "state": "kept" if kept else "would"})
            if output == "text":
                show(f"{stage.title}: {'done by an earlier run' if kept else 'would be run'}")
    else:
        with alone(paths, "`hardway bootkube`"):
            rendered.run(prepared, stages, heard, again=again)
    if output == "json":
        print_json(told)
