"""hardway ssh: log in to a node, with the host keys that the build made."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.lab.place import choose
from hardway.cli.options import WORDS, complete_node
from hardway.tools.run import become

if TYPE_CHECKING:
    from hardway.model.cluster import Cluster

identity_option = click.option(
    "--identity",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="The private key to log in with. [default: assets/ssh/login, or what your ssh finds]",
)


@click.command(context_settings=WORDS)
@identity_option
@click.argument("node", shell_complete=complete_node)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- CMD...]")
@click.pass_obj
def ssh(folder: Path, identity: Path | None, node: str, words: tuple[str, ...]) -> None:
    """Log in to a node as user core, or run a program there.

    NODE is the node's name, its name in DNS, or its address.

    The node must show one of the SSH host keys that the build put into its Ignition file (assets/ssh/known_hosts). A
    node that shows another key is refused: either it was installed from other files, or another machine answers at its
    address. There is no question to answer with yes.

    The key to log in with is the private half of the sshKey in install-config.yaml, from ~/.ssh, from ssh-agent or from
    --identity. If install-config.yaml has no sshKey, it is assets/ssh/login.

    OpenSSH's own client does the work, without your configuration of it: no forwarding, no other list of host keys.
    User core may become root with sudo. The exit code is the program's own; 255 is ssh's.

    \b
    Examples:
      hardway ssh master-0
      hardway ssh bootstrap -- journalctl -b -u bootkube -f
      hardway ssh master-0 -- sudo crictl ps

    With ssh itself (-i only if install-config.yaml has no sshKey):

    \b
      ssh -i assets/ssh/login -o UserKnownHostsFile=assets/ssh/known_hosts \\
        core@192.168.126.101
    """
    from shlex import join

    from hardway.drive.ssh import Ssh, Unreachable
    from hardway.lab.owner import has_lab
    from hardway.model.errors import ConfigError
    from hardway.workspace.folder import planned
    from hardway.workspace.names import ASSETS

    cluster = planned(folder)
    name = planned_name(cluster, node)
    if has_lab(cluster.name, folder):
        fix = f"use `hardway lab shell {name}`"
        raise ConfigError(f"{cluster.name}: this cluster runs in the lab, whose nodes have no sshd.\n    fix: {fix}")
    demand_private(identity)
    client = Ssh(cluster=cluster, assets=folder / ASSETS, identity=identity)
    demand_client()
    try:
        client.ask(name, ["true"])  # what stands in the way is told in our words
    except Unreachable as error:
        if not (error.denied and sys.stdin.isatty()):  # ssh may ask for the passphrase of a key
            raise
    asked = list(words[1:] if words[:1] == ("--",) else words)
    terminal = ["-t"] if not asked and sys.stdin.isatty() else []
    become([*client.words(client.node(name), *terminal), *([join(asked)] if asked else [])])


def planned_name(cluster: Cluster, node: str) -> str:
    """A node goes by its name, its name in DNS, or its address."""
    from hardway.ignition.ssh import names_of

    known = {alias: n.name for n in cluster.nodes for alias in names_of(n, cluster)}
    return known.get(node) or choose([n.name for n in cluster.nodes], node, "the plan")


def demand_client() -> None:
    from hardway.model.errors import ToolError
    from hardway.tools.run import have

    if have("ssh") is None:
        raise ToolError("ssh: program not found.\n    fix: install OpenSSH's client (Debian: openssh-client)")


def demand_private(identity: Path | None) -> None:
    """ssh would pass over such a key, and say that nobody may log in."""
    from shlex import quote

    from hardway.model.errors import ConfigError

    if identity is None:
        return
    if not identity.is_file():
        raise ConfigError(f"{identity}: is no regular file.\n    fix: name the file with the private key")
    if identity.stat().st_mode & 0o077:
        fix = f"run `chmod 600 {quote(str(identity))}`"
        raise ConfigError(f"{identity}: others can read it, and ssh refuses such a key.\n    fix: {fix}")
