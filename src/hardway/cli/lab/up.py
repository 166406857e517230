"""hardway lab up: the whole hard way, on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from hardway.cli.ending import judge, next_steps, print_availability
from hardway.cli.lab.place import directory_argument, replace_option, replacing
from hardway.cli.lab.sources import complete_release
from hardway.cli.options import (
    complete_stage,
    complete_words,
    ignore_option,
    in_folder,
    output_option,
    print_json,
    with_figures,
)
from hardway.cli.report import print_ignored
from hardway.cli.terminal.text import tell
from hardway.model.cluster import Road
from hardway.model.errors import ConfigError
from hardway.model.figures import COMPILE
from hardway.model.stages import number

if TYPE_CHECKING:
    from hardway.lab.paths import LabPaths
    from hardway.labrelease.checkouts.made import Made
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
    help="Stop after this stage. [default: the last, 17]",
)
@click.option(
    "--topology",
    metavar="MASTERS+WORKERS",
    shell_complete=complete_words("3+2", "3+0", "1+0"),
    help="Such as 3+2, 3+0 or 1+0, for a folder that has no cluster yet. [default: 3+2]",
)
@click.option(
    "--road",
    type=click.Choice(get_args(Road)),
    help="How the control plane is made: from our tables (hand), by the release's operators on the masters "
    "(operators), or on the bootstrap node from what operators render (rendered). [default: as in hardway.yaml, "
    "or hand]",
)
@click.option(
    "--release",
    "named",
    metavar="NAME",
    shell_complete=complete_release,
    help="A release with components from your checkouts, by its name in `hardway lab release list`. "
    "[default: of pinned modules, or what this lab has already]",
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
    named: str | None,
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

    hardway.yaml gets lines that name the road and the lab's release; the command prints them.

    After an interruption or a failure, run it again to continue. Everything outside the folder is in
    /var/lib/hardway/labs/NAME, and `hardway lab down` removes it.

    \b
    Examples:
      hardway lab up demo                      three masters and two workers in ./demo
      hardway lab up small --topology 1+0      one master, which runs the workloads too
      hardway lab up demo --until 11           stop when the masters have joined, and look around
      hardway lab up demo --road operators     etcd and API servers from their real operators
      hardway lab up demo --road rendered      a bootstrap node from what the operators render
      hardway lab up demo --release NAME       with a component from your own checkout
      hardway lab up demo -o json              one event a line
    """
    from hardway.cli.lab.plan import planned, print_plan
    from hardway.lab import cluster_files, owner, prerequisites
    from hardway.lab.prepared import paths_of
    from hardway.lab.up import DEFAULT_TOPOLOGY, draft
    from hardway.places.forward import FINAL

    place, stage = in_folder(folder / directory), stage_number(until) if until else None
    cluster = draft(place, topology, _road(road, named))
    number = stage or FINAL
    paths = paths_of(cluster, place)
    owner.demand(paths)
    made = _chosen(paths, cluster, named)
    cluster_files.new_lines(place, cluster)  # refuses a folder that names a release of the user's own
    if dry_run:
        asked = (place, cluster, range(number + 1), ignore)
        print_json(planned(*asked)) if output == "json" else print_plan(*asked)
        return
    print_ignored(prerequisites.demand(paths, cluster, ignore).ignored)
    replacing(cluster, place, replaced)
    _go(place, cluster, number, topology or DEFAULT_TOPOLOGY, ignore, output, made)


def _road(road: Road | None, named: str | None) -> Road | None:
    """A release with operators goes with their road, unless another one is asked for."""
    from hardway.labrelease.release import recorded

    return road or ("operators" if named and recorded(named)[0] == "operators" else None)


def _chosen(paths: LabPaths, cluster: Cluster, named: str | None) -> tuple[Made, ...]:
    from hardway.lab import releases
    from hardway.lab.cluster_files import SETS

    if named is None:
        return releases.installed(paths)
    chosen, made = releases.choose(paths, named)
    if chosen != SETS[cluster.road]:
        raise ConfigError(
            f"--release {named}: it is of the set {chosen}, and the road {cluster.road} takes {SETS[cluster.road]}.\n"
            f"    fix: build it with --set {SETS[cluster.road]}, or take another road"
        )
    return made


def _go(
    place: Path,
    cluster: Cluster,
    until: int,
    topology: str,
    ignore: frozenset[str],
    output: str,
    made: tuple[Made, ...],
) -> None:
    from hardway.cli.lab.compiling import announce
    from hardway.cli.lab.plan import added
    from hardway.cli.lab.view import watched, watching
    from hardway.lab import cluster_files
    from hardway.lab.lock import alone
    from hardway.lab.prepared import paths_of, prepare, to_compile
    from hardway.lab.up import forward, verify
    from hardway.places.forward import FINAL

    announce(to_compile(cluster, [row.name for row in made]))
    with alone(paths_of(cluster, place), "`hardway lab up`"):
        cluster_files.write_files(place, topology)
        added(place, cluster_files.adopt(place, cluster))
        with watched(until, output) as view:
            ready = prepare(place, progress=view.prepare, watchers=view.watchers, made=made)
            watch = watching(view)
            forward(ready, until, watch)
            found = verify(ready, watch, ignore) if until == FINAL else None
    if found:
        judge(f"lab {cluster.name}", found)
    if output == "text":
        print_availability(ready.paths.folder)
        tell(next_steps(f"lab {cluster.name}", until, _next(cluster)))


def _next(cluster: Cluster) -> list[tuple[str, str]]:
    return [
        ("lab status", "nodes, members, milestones"),
        ("lab kubectl get nodes", "as the administrator"),
        (f"lab shell {cluster.masters[0].name}", "look inside"),
        ("lab down", "remove everything"),
    ]
