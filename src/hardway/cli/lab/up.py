"""hardway lab up: the whole hard way, on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from hardway.cli.lab.place import directory_argument, replace_option, replacing
from hardway.cli.options import complete_stage, complete_words, ignore_option, output_option, print_json, with_figures
from hardway.cli.report import print_ignored
from hardway.cli.terminal.text import show
from hardway.model.cluster import Road
from hardway.model.errors import CheckError, ConfigError
from hardway.model.figures import COMPILE
from hardway.model.stages import number

if TYPE_CHECKING:
    from hardway.lab.paths import LabPaths
    from hardway.model.check import Report
    from hardway.model.cluster import Cluster

FIRST = number("ignition")  # stages before it are made in one go with it


def stage_number(text: str) -> int:
    from hardway.stages.table import find

    stage = int(find(text).number)
    if stage < FIRST:
        raise ConfigError(
            f"--until {text}: a lab starts at stage {FIRST:02}.\n"
            f"    fix: name stage {FIRST:02} or a later one; to build files only, use `hardway build {text}`"
        )
    return stage


@click.command()
@with_figures(compile=COMPILE)
@directory_argument
@click.option(
    "--until",
    metavar="STAGE",
    shell_complete=complete_stage,
    help="Stop after this stage. [default: the last: 17, or 11 on the road `rendered`]",
)
@click.option(
    "--topology",
    metavar="MASTERS+WORKERS",
    shell_complete=complete_words("3+2", "3+0", "1+0"),
    help="3+2, 3+0 or 1+0, for a folder that has no cluster yet. [default: 3+2]",
)
@click.option(
    "--road",
    type=click.Choice(get_args(Road)),
    help="How the control plane is made: from our tables (hand), by the release's operators on the masters "
    "(operators), or on the bootstrap node from what operators render (rendered). [default: as in hardway.yaml, "
    "or hand]",
)
@replace_option
@click.option("--dry-run", is_flag=True, help="Say what would be made and what is missing; change nothing.")
@ignore_option
@output_option
@click.pass_obj
def up(
    folder: Path,
    directory: Path,
    until: str | None,
    topology: str | None,
    road: Road | None,
    replaced: tuple[str, ...],
    dry_run: bool,
    ignore: frozenset[str],
    output: str,
) -> None:
    """Bring up a whole cluster of booted nodes, from an install-config to the final verification.

    A folder without a cluster gets an install-config.yaml; an existing one is used as it is. The command sets up a
    network with DNS, a load balancer and a registry; the lab's release, which is compiled the first time ({compile}
    on two cores); every artifact of stages 03 to 08; and nodes that systemd boots from their own Ignition files,
    through bootstrap, masters, control plane, pivot and workers to convergence.

    After an interruption or a failure, run it again to continue. Everything outside the folder is in
    /var/lib/hardway/labs/NAME, and `hardway lab down` removes it.

    \b
    Examples:
      hardway lab up demo                      three masters and two workers in ./demo
      hardway lab up small --topology 1+0      one master, which runs the workloads too
      hardway lab up demo --until 11           stop when the masters have joined, and look around
      hardway lab up demo --road operators     etcd and API servers from their real operators
      hardway lab up demo --road rendered      a bootstrap node from what the operators render
      hardway lab up demo -o json              one event a line
    """
    from hardway.cli.lab.plan import planned, print_plan
    from hardway.lab import owner, prerequisites
    from hardway.lab.prepared import paths_of
    from hardway.lab.up import DEFAULT_TOPOLOGY, draft, last, within

    place, named = folder / directory, stage_number(until) if until else None
    cluster = draft(place, topology, road)
    number = named or last(cluster)
    within(cluster, number)
    paths = paths_of(cluster, place)
    owner.demand(paths)
    if dry_run:
        asked = (place, cluster, number, ignore)
        print_json(planned(*asked)) if output == "json" else print_plan(*asked)
        return
    print_ignored(prerequisites.demand(paths, cluster, ignore).ignored)
    replacing(cluster, place, replaced)
    _go(place, cluster, number, topology or DEFAULT_TOPOLOGY, ignore, output)


def _go(place: Path, cluster: Cluster, until: int, topology: str, ignore: frozenset[str], output: str) -> None:
    from hardway.cli.lab.compiling import announce
    from hardway.cli.lab.view import watched, watching
    from hardway.lab import cluster_files
    from hardway.lab.lock import alone
    from hardway.lab.prepared import paths_of, prepare, to_compile
    from hardway.lab.up import FINAL, forward, verify

    announce(to_compile(cluster))
    with alone(paths_of(cluster, place), "`hardway lab up`"), watched(until, output) as view:
        cluster_files.write_files(place, topology)
        cluster_files.take_road(place, cluster.road)
        ready = prepare(place, progress=view.prepare, watchers=view.watchers)
        watch = watching(view)
        forward(ready, until, watch)
        found = verify(ready, watch, ignore) if until == FINAL else None
    if found:
        _judge(cluster, found)
    if output == "text":
        _counted(ready.paths)
        show(next_steps(place, cluster, until))


def _judge(cluster: Cluster, report: Report) -> None:
    print_ignored(report.ignored)
    if not report.ok:
        rows = [f"  {f.line}\n    fix: {f.fix}" for f in report.errors]
        raise CheckError("\n".join([f"lab {cluster.name}: the final verification failed:", *rows]))


def _counted(paths: LabPaths) -> None:
    """What the client that never stops asking has seen, if it has begun."""
    from hardway.lab.pulse import read

    figures = read(paths)
    if figures.requests:
        show("\n  ".join(["availability (10 probes/s):", *figures.lines]))


def next_steps(place: Path, cluster: Cluster, until: int) -> str:
    words = f"hardway -C {place}" if place != Path() else "hardway"
    rows = [
        (f"{words} lab status", "nodes, members, milestones"),
        (f"{words} lab kubectl get nodes", "as the administrator"),
        (f"{words} lab shell {cluster.masters[0].name}", "look inside"),
        (f"{words} lab down", "remove everything"),
    ]
    wide = max(len(command) for command, _ in rows)
    lines = [f"  {command:<{wide}}  {what}" for command, what in rows]
    return "\n".join([f"lab {cluster.name} has reached stage {until:02}. Next:", *lines])
