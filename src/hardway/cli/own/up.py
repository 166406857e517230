"""hardway up: stages 10 to 17 on machines of your own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.ending import judge, next_steps, print_availability
from hardway.cli.lab.place import replace_option, replacing
from hardway.cli.options import complete_stage, ignore_option, output_option, print_json
from hardway.cli.own.place import lab_does, remember_socket, socket_of, socket_option
from hardway.cli.ssh import demand_client, demand_private, identity_option
from hardway.cli.terminal.text import show, tell
from hardway.model.errors import ConfigError
from hardway.model.stages import number

if TYPE_CHECKING:
    from hardway.cli.lab.view import View
    from hardway.drive.stall import Cause
    from hardway.model.cluster import Cluster
    from hardway.places.own.cluster import OwnCluster

FIRST, LAST = number("bootstrap"), number("final-verification")


def stage_number(text: str) -> int:
    from hardway.stages.table import find

    row = find(text)
    if int(row.number) < FIRST:
        raise ConfigError(
            f"--until {text}: the machines are driven from stage {FIRST} on.\n"
            f"    fix: name stage {FIRST} or a later one; stage {row.number} is `{row.machines}`"
        )
    return int(row.number)


@click.command()
@click.option(
    "--until", metavar="STAGE", shell_complete=complete_stage, help="Stop after this stage. [default: the last, 17]"
)
@socket_option
@identity_option
@replace_option
@click.option("--dry-run", is_flag=True, help="Say how far the cluster is and what is missing; change nothing.")
@ignore_option
@output_option
@click.pass_obj
def up(
    folder: Path,
    until: str | None,
    socket: Path | None,
    identity: Path | None,
    replaced: tuple[str, ...],
    dry_run: bool,
    ignore: frozenset[str],
    output: str,
) -> None:
    """Bring the cluster up on libvirt or on machines of your own: stages 10 to 17. In the lab it is `hardway lab up`.

    The machines are reached by ssh as user core; each must show the host key that the build gave it. Machines of
    `hardway infra up` are switched by libvirt. Machines of your own you switch on and off yourself: the command prints
    which, when its time has come, and sees from outside that you have done it (port 22, 6443 or 10250 answers, or none
    does). Machines may also be on from the beginning.

    At the pivot, the bootstrap node has to leave the load balancer. The HAProxy that `hardway infra up` runs on this
    machine, or that of --socket, is told to. Without one, the command asks you to change your load balancer, and
    continues when no API request through it is answered by the bootstrap node any more. A load balancer that sends one
    client always to the same server hides the others; `hardway network files` writes one that does not.

    Before it, the files must be built (`hardway build`), DNS and load balancer must work (`hardway network check`), and
    each machine must have RHCOS or its medium (`hardway install`, chapter 09).

    Every wait is printed with how long it has lasted and how long it may take. If it takes longer, the command asks the
    doctor (`hardway doctor`) and ends with the cause. No limit runs while you are asked
    for something. After an interruption, run the command again: it looks at the cluster and continues. Its record is in
    assets/machines.

    \b
    Examples:
      hardway up
      hardway up --until 11
      hardway up --dry-run                            how far it is; read only
      hardway up --socket /run/haproxy/admin.sock     remembered; `--socket none` forgets it
      hardway up -o json                              one event a line; "asked" names what you have to do
    """
    from hardway.cli.lab.up import up as in_lab
    from hardway.workspace.folder import planned

    if lab_does(folder, in_lab, until=until, replaced=replaced, dry_run=dry_run, ignore=ignore, output=output):
        return
    stage = stage_number(until) if until else LAST
    cluster = planned(folder)
    demand_private(identity)
    demand_client()
    from hardway.places.own.cluster import opened
    from hardway.places.own.up import alone

    balancer = socket_of(folder, socket)
    with opened(folder, identity, balancer) as own:
        if dry_run:
            _print_standing(own, stage, output)
            return
        with alone(own.kept):
            remember_socket(folder, balancer)
            replacing(cluster, folder, replaced)
            _go(own, folder, stage, ignore, output)


def _go(own: OwnCluster, folder: Path, until: int, ignore: frozenset[str], output: str) -> None:
    from hardway.cli.lab.view import watched
    from hardway.places.own.up import forward, verify

    with watched(until, output) as view:
        forward(own, until, view.event, lambda: look(view, own), doctor_of(own, folder))
        found = verify(own, view.event, ignore) if until == LAST else None
    if found:
        judge(own.live.cluster.name, found)
    if output == "text":
        print_availability(own.kept)
        tell(next_steps(own.live.cluster.name, until, _next(own.live.cluster)))


def doctor_of(own: OwnCluster, folder: Path) -> Callable[[], Sequence[Cause]]:
    """Who is asked when a milestone takes too long. The tables of its checks are read only then."""

    def asked() -> Sequence[Cause]:
        from hardway.doctor.own import causes

        return causes(own, folder, stalled=True)

    return asked


def look(view: View, own: OwnCluster) -> None:
    """For a view that is redrawn."""
    from hardway.cli.lab.view import available
    from hardway.drive.pulse import read

    if view.live:
        states = {name: "on" if on else "off" for name, on in own.machines.on.items()}
        view.look(states, lambda: available(read(own.kept)))


def _print_standing(own: OwnCluster, until: int, output: str) -> None:
    from hardway.cli.own.standing import print_standing
    from hardway.places.own.status import status

    found = status(own, until)
    if output == "json":
        print_json(found.as_dict())
        return
    print_standing(found, "hardway up")
    show("nothing was changed")


def _next(cluster: Cluster) -> list[tuple[str, str]]:
    return [
        ("status", "machines and milestones"),
        ("kubectl get nodes", "as the administrator"),
        (f"ssh {cluster.masters[0].name}", "look inside"),
    ]
