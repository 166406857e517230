"""hardway exec, logs, kubectl: over ssh, or as in the lab. Each becomes the program that was asked for."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import join

import click

from hardway.cli.options import WORDS, complete_node
from hardway.cli.own.place import lab_does
from hardway.cli.ssh import demand_client, demand_private, identity_option, planned_name
from hardway.io.harmless import harmless
from hardway.model.errors import ConfigError
from hardway.tools.run import become, follow
from hardway.workspace.names import ASSETS


def _over_ssh(folder: Path, node: str, identity: Path | None, words: list[str]) -> list[str]:
    """The command line that runs the words on the node as root. What stands in the way is told in our words."""
    from hardway.drive.ssh import Ssh
    from hardway.workspace.folder import planned

    cluster = planned(folder)
    name = planned_name(cluster, node)
    demand_private(identity)
    demand_client()
    ssh = Ssh(cluster=cluster, assets=folder / ASSETS, identity=identity)
    ssh.run(name, ["true"])
    return [*ssh.words(ssh.node(name)), join(["sudo", "-n", "--", *words])]


@click.command("exec", context_settings=WORDS)
@identity_option
@click.argument("node", shell_complete=complete_node)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- CMD...", required=True)
@click.pass_obj
def exec_(folder: Path, identity: Path | None, node: str, words: tuple[str, ...]) -> None:
    """Run a program on a node, as root there, over ssh.

    Its input, output and exit code are this command's own. Exit code 3 with a message from hardway means that the node
    could not be reached, or that sudo asks for a password there; 255 is ssh's own.

    \b
    Examples:
      hardway exec master-0 -- crictl ps
      hardway exec bootstrap -- systemctl status bootkube
      hardway exec bootstrap -- systemctl poweroff
    """
    from hardway.cli.lab.node import exec_ as in_lab

    if lab_does(folder, in_lab, node=node, words=words):
        return
    asked = list(words[1:] if words[0] == "--" else words)
    if not asked:
        fix = f"name one, as in `hardway exec {node} -- uptime`"
        raise ConfigError(f"no program is named for {node}.\n    fix: {fix}")
    become(_over_ssh(folder, node, identity, asked))


@click.command()
@identity_option
@click.argument("node", shell_complete=complete_node)
@click.argument("unit", default="")
@click.option(
    "-n", "--lines", type=click.IntRange(1), default=200, show_default=True, help="Number of lines, from the end."
)
@click.option("-f", "--follow", "following", is_flag=True, help="Follow the log until Ctrl-C.")
@click.pass_obj
def logs(folder: Path, identity: Path | None, node: str, unit: str, lines: int, following: bool) -> None:
    """The journal of a node or of one of its units, over ssh.

    \b
    Examples:
      hardway logs bootstrap bootkube -f
      hardway logs master-0 kubelet -n 50
    """
    from hardway.cli.lab.node import logs as in_lab

    if lab_does(folder, in_lab, node=node, unit=unit, lines=lines, follow=following):
        return
    tail = [f"--lines={lines}", *(["--follow"] if following else [])]
    units = [f"--unit={unit}"] if unit else []
    words = ["journalctl", "--no-pager", "--output=short-iso", *tail, *units]
    command = _over_ssh(folder, node, identity, words)
    sys.exit(follow(command, line=lambda text: click.echo(harmless(text)), keep=0).code)


@click.command(context_settings=WORDS)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENT]...")
@click.pass_obj
def kubectl(folder: Path, words: tuple[str, ...]) -> None:
    """kubectl as the administrator of the cluster, through its load balancer.

    It is the kubectl on PATH, or oc. It connects to the planned address, so this machine need not resolve the cluster's
    names; the server's certificate is verified for its name.

    \b
    Examples:
      hardway kubectl get nodes -o wide
      hardway kubectl get clusteroperators
    """
    from hardway.cli.lab.node import kubectl as in_lab
    from hardway.drive.live import ADMIN
    from hardway.places.kubectl import administrator
    from hardway.workspace.folder import planned

    if lab_does(folder, in_lab, words=words):
        return
    cluster, config = planned(folder), folder / ASSETS / ADMIN
    if not config.exists():
        raise ConfigError(f"{config}: not found.\n    fix: make it with `hardway build 06`")
    become([*administrator(cluster, config), *words])
