"""hardway run: one stage on machines of your own."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.options import complete_stage, ignore_option, output_option
from hardway.cli.own.place import lab_does, remember_socket, socket_of, socket_option
from hardway.cli.own.up import FIRST, doctor_of, look
from hardway.cli.ssh import demand_client, demand_private, identity_option
from hardway.cli.stage import print_verified, why
from hardway.model.errors import ConfigError


@click.command()
@click.argument("stage", shell_complete=complete_stage)
@socket_option
@identity_option
@ignore_option
@output_option
@click.pass_obj
def run(
    folder: Path, stage: str, socket: Path | None, identity: Path | None, ignore: frozenset[str], output: str
) -> None:
    """Run one stage from 10 to 17 on libvirt or on machines of your own: print its purpose, do its work, and verify it.

    In the lab it is `hardway lab run`.

    Stages run in order; a stage that is run too early reports what is missing. A stage can be run again. How machines
    are reached, switched and taken out of the load balancer: `hardway up --help`.

    \b
    Examples:
      hardway run 10       the bootstrap node boots, and CVO starts
      hardway run 11       masters join
      hardway run 17       the final verification, as often as you like
    """
    from hardway.cli.lab.run import run as in_lab
    from hardway.cli.lab.view import watched
    from hardway.places.own.cluster import opened
    from hardway.places.own.up import alone, demand_order, forward, verify
    from hardway.places.verified import found, reached
    from hardway.stages.table import after, find

    if lab_does(folder, in_lab, stage=stage, ignore=ignore, output=output):
        return
    row = find(stage)
    if int(row.number) < FIRST:
        raise ConfigError(f"stage {row.label}: does not run on the machines.\n    fix: use `{row.machines}`")
    demand_private(identity)
    demand_client()
    balancer = socket_of(folder, socket)
    with opened(folder, identity, balancer) as own, alone(own.kept):
        remember_socket(folder, balancer)
        demand_order(own, row)
        if output == "text":
            why(row)
        with watched(int(row.number), output) as view:
            if row.work == "final":
                rows = list(found(verify(own, view.event, ignore), row.checks("live")))
            else:
                forward(own, int(row.number), view.event, lambda: look(view, own), doctor_of(own, folder))
                rows = list(reached(own.live, row))
        following = after(row)
        print_verified(row, rows, output, following.machines if following else "")
