"""hardway lab exec, shell, logs, kubectl, stop, start: at the nodes themselves.

exec, shell and kubectl become the program that was asked for: its input, its terminal and its exit code are the
command's own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click

from hardway.cli.lab.place import as_root, choose, lab_of, node_argument, node_of, there
from hardway.cli.options import WORDS, complete_node, one_or_all, output_option, print_json
from hardway.cli.terminal.text import tell
from hardway.cli.terminal.work import busy
from hardway.io.harmless import harmless
from hardway.model.errors import ConfigError, ToolError
from hardway.tools.run import become, follow


@click.command("exec", context_settings=WORDS)
@node_argument
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- CMD...", required=True)
@click.pass_obj
def exec_(folder: Path, node: str, words: tuple[str, ...]) -> None:
    """Run a program on a node, as root there.

    Its input, output and exit code are this command's own. Exit code 3 with a message from hardway means that the
    node is not running.

    \b
    Examples:
      hardway lab exec master-0 -- ps -e
      hardway lab exec bootstrap -- systemctl status bootkube
      hardway lab exec master-0 -- sh -c 'cat > /tmp/x' < x
    """
    from hardway.lab.node import command

    paths, _, name = node_of(folder, node)
    asked = list(words[1:] if words[0] == "--" else words)
    if not asked:
        raise ConfigError(
            f"no program is named for {name}.\n    fix: name one, as in `hardway lab exec {name} -- uptime`"
        )
    as_root()
    there(paths, name)
    become(command(paths, name, asked))


@click.command()
@node_argument
@click.pass_obj
def shell(folder: Path, node: str) -> None:
    """A shell on a node, as root there; `exit` leaves it.

    \b
    What to look at first:
      ps -ef                          processes, containers included
      journalctl -u kubelet -e        the kubelet's log
      ls /etc/kubernetes/manifests    static pods
    """
    from hardway.lab.node import command

    paths, _, name = node_of(folder, node)
    as_root()
    there(paths, name)
    become(command(paths, name, ["bash", "--login"]))


@click.command()
@click.argument("node", shell_complete=complete_node)
@click.argument("unit", default="")
@click.option(
    "-n", "--lines", type=click.IntRange(1), default=200, show_default=True, help="Number of lines, from the end."
)
@click.option("-f", "--follow", is_flag=True, help="Follow the log until Ctrl-C.")
@click.pass_obj
def logs(folder: Path, node: str, unit: str, lines: int, follow: bool) -> None:
    """Logs of a node or of one of its units; also of a node that is off.

    UNIT `console` is the machine's console. In place of a node, dnsmasq, haproxy and registry have logs too.

    \b
    Examples:
      hardway lab logs bootstrap bootkube -f
      hardway lab logs master-0 kubelet -n 50
      hardway lab logs master-0 console
      hardway lab logs haproxy
    """
    from hardway.lab.services import IMAGES, LOAD, NAMES

    paths, cluster = lab_of(folder)
    services = (NAMES, LOAD, IMAGES)
    name = choose([*(n.name for n in cluster.nodes), *services], node, f"lab {paths.name}")
    as_root()
    tail = [f"--lines={lines}", *(["--follow"] if follow else [])]
    if name in services:
        _print_log(["tail", *tail, _there(paths.services / f"{name}.log")])
    there(paths, name)
    from hardway.lab.node import console, journal_folder

    if unit == "console":
        _print_log(["tail", *tail, _there(console(paths, name))])
    journal = _there(journal_folder(paths, name))
    units = [f"--unit={unit}"] if unit else []
    become(["journalctl", f"--directory={journal}", "--no-pager", "--output=short-iso", *tail, *units])


def _print_log(words: list[str]) -> NoReturn:
    """Nodes have written it, and a terminal obeys what it reads. journalctl sees to that itself."""
    sys.exit(follow(words, line=lambda text: click.echo(harmless(text)), keep=0).code)


def _there(path: Path) -> str:
    if not path.exists():
        raise ToolError(f"{path}: nothing is logged yet.\n    fix: bring the lab up with `hardway lab up`")
    return str(path)


@click.command(context_settings=WORDS)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENT]...")
@click.pass_obj
def kubectl(folder: Path, words: tuple[str, ...]) -> None:
    """kubectl as the administrator of the lab's cluster, through its load balancer.

    It is the kubectl that was compiled for the nodes. It connects to the planned address, so this machine need not
    resolve the cluster's names; the server's certificate is verified for its name.

    \b
    Examples:
      hardway lab kubectl get nodes -o wide
      hardway lab kubectl get clusteroperators
      hardway lab kubectl -n kube-system logs kube-controller-manager-master-0
    """
    from hardway.lab import owner
    from hardway.labrelease.materials import compiled_program
    from hardway.places.kubectl import as_administrator

    paths, cluster = lab_of(folder)
    as_root()
    config = folder / "assets" / "auth" / "kubeconfig"
    if not config.exists():
        raise ConfigError(f"{config}: not found.\n    fix: bring the lab up with `hardway lab up`")
    program = compiled_program("kubectl")
    if owner.marked(paths) is None or program is None:
        raise ToolError(f"lab {paths.name}: is not up.\n    fix: bring the lab up with `hardway lab up`")
    become([str(program), *as_administrator(cluster, config), *words])


@click.command()
@node_argument
@click.option("--cut", is_flag=True, help="Cut the power: no program on the node can shut down.")
@output_option
@click.pass_obj
def stop(folder: Path, node: str, cut: bool, output: str) -> None:
    """Switch a node off; its disk stays.

    Try it after the pivot of a cluster with three masters: the API keeps answering.

    \b
      hardway lab stop master-1 --cut
      hardway lab kubectl get nodes
      hardway lab start master-1
    """
    from hardway.lab import node as nodes
    from hardway.lab.lock import alone

    paths, _, name = node_of(folder, node)
    as_root()
    with alone(paths, f"`hardway lab stop {name}`"), busy(f"switching {name} off"):
        there(paths, name)
        nodes.cut(paths, name) if cut else nodes.stop(paths, name)
    _tell(name, "off", output)


@click.command()
@click.argument("node", shell_complete=complete_node, required=False)
@click.option("--all", "every", is_flag=True, help="Every node that is off, except a bootstrap node that has left.")
@output_option
@click.pass_obj
def start(folder: Path, node: str | None, every: bool, output: str) -> None:
    """Switch a node on, or all of them, and wait until systemd answers there.

    A node that was never on first gets its root from its Ignition file. This command does not approve the kubelet's
    certificate requests; `hardway lab up` does.

    \b
    Examples:
      hardway lab start master-1
      hardway lab start --all         after a power cut; `hardway lab up` also waits for the cluster
    """
    from hardway.lab import owner
    from hardway.lab.lock import alone
    from hardway.lab.node import state
    from hardway.lab.power import start_all
    from hardway.lab.prepared import opened

    one_or_all(node, every)
    paths = lab_of(folder)[0]
    chosen = "--all" if node is None else node_of(folder, node)[2]
    as_root()
    if owner.marked(paths) is None:
        raise ToolError(f"lab {paths.name}: has no network.\n    fix: bring the lab up with `hardway lab up`")
    what = f"starting {node or 'every node that is off'}: until systemd answers"
    with alone(paths, f"`hardway lab start {chosen}`"), busy(what):
        prepared = opened(folder)
        if node is not None:
            prepared.machines.start(chosen)
        started = list(start_all(prepared)) if node is None else [chosen]
    found = {name: state(paths, name) for name in started}
    if node is not None:
        _tell(chosen, found[chosen], output)
    elif output == "json":
        print_json([{"node": name, "state": now} for name, now in found.items()])
    else:
        tell("\n".join(f"{name} is {now}" for name, now in found.items()) or "no node had to be started")


def _tell(node: str, state: str, output: str) -> None:
    print_json({"node": node, "state": state}) if output == "json" else tell(f"{node} is {state}")
