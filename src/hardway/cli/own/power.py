"""hardway stop, start: machines in libvirt, in the lab, or of your own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from hardway.cli.options import complete_node, one_or_all, output_option, print_json
from hardway.cli.own.place import lab_does
from hardway.cli.ssh import demand_client, demand_private, identity_option, planned_name
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy


@click.command()
@click.argument("node", shell_complete=complete_node)
@click.option("--cut", is_flag=True, help="Cut the power: no program on the node can shut down.")
@identity_option
@output_option
@click.pass_obj
def stop(folder: Path, node: str, cut: bool, identity: Path | None, output: str) -> None:
    """Switch a node off; its disk stays.

    In libvirt, the machine's power button is pressed; after two minutes its power is cut. A machine of your own you
    switch off yourself: the command prints what to do, and ends when none of its ports 22, 6443 and 10250 answers. In
    the lab it is `hardway lab stop`.

    \b
    Examples:
      hardway stop master-1
      hardway stop master-1 --cut
    """
    from hardway.cli.lab.node import stop as in_lab
    from hardway.workspace.folder import planned

    if lab_does(folder, in_lab, node=node, cut=cut, output=output):
        return
    name = planned_name(planned(folder), node)
    _switch(folder, [name], identity, output, on=False, cut=cut)


@click.command()
@click.argument("node", shell_complete=complete_node, required=False)
@click.option("--all", "every", is_flag=True, help="Every node that is off, except a bootstrap node that has left.")
@identity_option
@output_option
@click.pass_obj
def start(folder: Path, node: str | None, every: bool, identity: Path | None, output: str) -> None:
    """Switch a node on, or all of them.

    In libvirt, the machine is started; it must be installed (`hardway install`). A machine of your own you switch on
    yourself: the command prints what to do, and ends when one of its ports 22, 6443 and 10250 answers. In the lab it
    is `hardway lab start`. This command does not approve certificate requests; `hardway up` does, and waits for the
    cluster.

    \b
    Examples:
      hardway start master-1
      hardway start --all         after a power cut
    """
    from hardway.cli.lab.node import start as in_lab
    from hardway.workspace.folder import planned

    if lab_does(folder, in_lab, node=node, every=every, output=output):
        return
    one_or_all(node, every)
    chosen = None if node is None else [planned_name(planned(folder), node)]
    _switch(folder, chosen, identity, output, on=True)


def _switch(
    folder: Path, nodes: Sequence[str] | None, identity: Path | None, output: str, *, on: bool, cut: bool = False
) -> None:
    from hardway.places.own.cluster import opened
    from hardway.places.own.switch import switch, wanted
    from hardway.places.own.up import alone

    demand_private(identity)
    demand_client()
    state = "on" if on else "off"
    with opened(folder, identity) as own, alone(own.kept):
        chosen = wanted(own) if nodes is None else nodes
        with busy(f"switching {', '.join(chosen)} {state}"):
            switch(own, chosen, on=on, ask=lambda text: show(text, err=output == "json"), cut=cut)
    if output == "json":
        print_json([{"node": name, "state": state} for name in chosen])
    else:
        tell("\n".join(f"{name} is {state}" for name in chosen))
