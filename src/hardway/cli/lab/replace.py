"""hardway lab replace: a component from a checkout, in a lab that is up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.lab.place import as_root, lab_of
from hardway.cli.lab.sources import complete_source, component_option
from hardway.cli.options import output_option, print_json, print_warnings, warn
from hardway.cli.terminal.settings import chosen
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import working
from hardway.io.harmless import harmless

if TYPE_CHECKING:
    from hardway.drive.events import Event
    from hardway.lab.replace import Running
    from hardway.labrelease.checkouts.read import Checkout
    from hardway.labrelease.release import Built


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="NAME=DIR...", shell_complete=complete_source)
@component_option
@click.option("--dry-run", is_flag=True, help="Check the checkout and the cluster, and change nothing.")
@output_option
@click.pass_obj
def replace(folder: Path, sources: tuple[str, ...], described: tuple[Path, ...], dry_run: bool, output: str) -> None:
    """Put a component from a checkout into a lab that is up, through CVO.

    The component is compiled and packed; its manifests go into a release that is otherwise the one that runs. The lab's
    registry gets what is new, ClusterVersion asks for the release, and the command waits until CVO has applied it. A
    second run compiles only what has changed. Other components that were replaced before stay.

    After an edit of one file this takes less than a minute on two cores; the first build of a component takes about two
    minutes. To get the old component back, run the command again with a checkout of the old commit.

    The lab must have the set `operators`: it was brought up with --road operators, or with --release. Of Kubernetes
    and etcd a lab takes over what an operator of its release makes; a warning names the programs that stay as they are.

    \b
    Examples:
      hardway lab replace service-ca-operator=../service-ca-operator
      hardway lab replace service-ca-operator=../service-ca-operator --dry-run
    """
    from hardway.lab import replace as lab
    from hardway.lab.lock import alone
    from hardway.lab.prepared import opened
    from hardway.lab.up import live_cluster
    from hardway.labrelease.checkouts import outside
    from hardway.labrelease.checkouts.read import read
    from hardway.labrelease.release import from_checkouts

    paths, _ = lab_of(folder)
    checkouts = read(sources, described, option="replace")
    print_warnings(warning for row in checkouts for warning in outside.warnings(row))
    as_root()
    prepared = opened(folder)
    api = live_cluster(prepared).api
    now = lab.running(prepared, api)
    lab.demand(prepared, now, checkouts)
    reaches = lab.reaches(prepared, now, checkouts)
    for row, reach in reaches:
        if reach.kept:
            message = f"some of its programs stay as they are in this lab. {reach.told}"
            warn(row.name, message, f"to have all of them from the checkout, bring another lab up: {lab.ANOTHER}")
    if dry_run:
        _plan(paths.name, now, checkouts, output)
        return
    with alone(paths, "`hardway lab replace`"):
        with working() as work:
            built = lab.build(prepared, now, from_checkouts(checkouts, work.advance), work.advance)
        if built.digest != now.digest:
            lab.ask(api, built)
        lab.follow(api, built, lambda event: _tell(event, output))
    _print(now, built, checkouts, output)
    rolled = [part.program for _, reach in reaches for part in reach.rolled]
    if rolled and output == "text" and built.digest != now.digest:
        tell(f"{', '.join(rolled)}: the operator replaces it on one master after another, which takes minutes")


def _plan(name: str, now: Running, checkouts: Sequence[Checkout], output: str) -> None:
    from hardway.labrelease.checkouts.git import state

    rows = [{"name": row.name, "folder": str(row.folder), **state(row.folder).as_dict()} for row in checkouts]
    if output == "json":
        print_json({"lab": name, "release": now.image, "sources": rows})
        return
    show(f"lab      {name}, which runs {now.image}")
    for row in rows:
        show(f"source   {row['name']} {row['describe'] or 'not in git'}, from {row['folder']}")
    show("nothing was changed")


def _tell(event: Event, output: str) -> None:
    if output == "json":
        click.echo(json.dumps(event.as_dict()))
    elif not chosen.quiet:
        click.echo(harmless(event.line()))


def _print(now: Running, built: Built, checkouts: Sequence[Checkout], output: str) -> None:
    from hardway.lab.replace import changed

    names = {row.name for row in checkouts}
    made = [row for row in built.made if row.name in names]
    if output == "json":
        said: dict[str, Any] = {"kind": "replaced", "release": built.pull_spec, "images": changed(now, built)}
        click.echo(json.dumps(said | {"sources": [{"name": row.name, **row.state.as_dict()} for row in made]}))
        return
    if built.digest == now.digest:
        tell("nothing to replace: the cluster runs these components already")
        return
    for row in made:
        show(f"replaced {row.name} {row.state.told}")
    show(f"release  {built.pull_spec}")
