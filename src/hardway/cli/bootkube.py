"""hardway bootkube: bootkube's stages, to read and to run one by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.lab.place import as_root, directory_argument
from hardway.cli.options import output_option, print_json
from hardway.cli.terminal.text import note, show
from hardway.model.errors import ConfigError

if TYPE_CHECKING:
    from hardway.bootkube.row import Stage


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
    from the result, and creates the cluster's first objects. Here you can read each of its stages, and run it alone
    on the bootstrap node of a lab on the road `rendered`. A finished stage leaves a marker in /opt/openshift on the
    node, as in bootkube.sh, and is not run again.

    \b
    Examples:
      hardway bootkube --list                    all stages, in order
      hardway bootkube --explain etcd-bootstrap  what it waits for, reads, writes, and what breaks without it
      hardway lab up demo --road rendered
      hardway bootkube demo --only api-dns-check one stage on the lab's bootstrap node
      hardway bootkube demo --from wait-for-etcd this stage and all after it
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
        _run(folder / directory, chosen, again=again, dry_run=dry_run, output=output)


def _chosen(only: Stage | None, first: Stage | None, last: Stage | None) -> tuple[Stage, ...]:
    from hardway.bootkube.run import chosen

    found = chosen(only=only, first=first, last=last)
    if not found:
        raise ConfigError("--until names a stage before --from.\n    fix: `hardway bootkube --list` has their order")
    return found


def _run(place: Path, stages: tuple[Stage, ...], *, again: bool, dry_run: bool, output: str) -> None:
    from hardway.bootkube.run import is_done, run
    from hardway.cli.lab.place import lab_of
    from hardway.lab.lock import alone
    from hardway.lab.prepared import opened
    from hardway.lab.rendered import context, demand_node, demand_road, keep_access

    paths, cluster = lab_of(place)
    demand_road(place, cluster)
    as_root()
    prepared = opened(place)
    demand_node(prepared)
    told: list[dict[str, str]] = []

    def tell(stage: Stage, what: str) -> None:
        if what != "begins":
            told.append({"stage": stage.name, "state": what})
        if output == "text":
            show(f"{stage.title}: {text_of[what]}")

    text_of = {"begins": "...", "done": "done", "kept": "done by an earlier run", "would": "would be run"}
    ctx = context(prepared, lambda what: note(f"    {what}"))
    if dry_run:
        for stage in stages:
            tell(stage, "kept" if is_done(ctx, stage) and not again else "would")
    else:
        with alone(paths, "`hardway bootkube`"):
            run(ctx, stages, tell, again=again)
            keep_access(ctx)
    if output == "json":
        print_json(told)
