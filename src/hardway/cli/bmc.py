"""hardway bmc: machines of your own that have a BMC, by Redfish."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.lab.place import choose
from hardway.cli.options import complete_node, output_option, print_json
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy
from hardway.io.harmless import one_line
from hardway.model.errors import ConfigError, ToolError

if TYPE_CHECKING:
    from hardway.places.power.redfish.machine import Redfish


node_argument = click.argument("node", shell_complete=complete_node)


@click.group()
def bmc() -> None:
    """Machines of your own with a BMC: power, and a start from a medium, by Redfish.

    hosts.yaml names the BMC of a machine. The file with the password has mode 0600 and nothing else in it:

    \b
      hosts:
        master-0:
          bmc: {address: https://10.0.1.21, username: admin, passwordFile: bmc-password}

    `hardway up`, `start` and `stop` switch such machines by themselves. It needs sushy: `pip install
    'hardway[redfish]'`.

    \b
    From an empty disk to a running machine:
      hardway install master-0 --prepare                  its ISO, in assets/rhcos
      hardway bmc boot master-0 --url https://www.example.com/master-0.iso
      hardway bmc eject master-0                          after the installation
    """


@bmc.command(short_help="Power and medium of each machine")
@output_option
@click.pass_obj
def status(folder: Path, output: str) -> None:
    """Power and medium of each machine that has a BMC.

    A BMC that does not answer is told after the others, with exit code 3.
    """
    redfish = _open(folder)
    with busy("asking the BMCs"):
        rows = [_row(redfish, node) for node in redfish.bmcs]
    if output == "json":
        print_json(rows)
    for row in rows if output == "text" else ():
        if not row["trouble"]:
            show(one_line(f"{row['node']:<14} {row['power']:<4} {row['medium']}".rstrip()))
    if not rows and output == "text":
        show("hosts.yaml names no BMC")
    if troubles := [row["trouble"] for row in rows if row["trouble"]]:
        raise ToolError("\n".join(troubles))


def _row(redfish: Redfish, node: str) -> dict[str, str]:
    try:
        medium = re.sub("//[^/@]*@", "//", redfish.medium(node))  # a password may be in its address
        return {"node": node, "power": redfish.state(node), "medium": medium, "trouble": ""}
    except ToolError as error:
        return {"node": node, "power": "", "medium": "", "trouble": str(error)}


@bmc.command(short_help="Start a machine from a medium, once")
@node_argument
@click.option("--url", required=True, metavar="URL", help="Where the BMC fetches the ISO: an https address.")
@output_option
@click.pass_obj
def boot(folder: Path, node: str, url: str, output: str) -> None:
    """Insert a medium into a machine's virtual drive, and start the machine from it once.

    A machine that is on is cut off first. The next start is from its disk again. The ISO of `hardway install NODE
    --prepare` is meant; serve it from a web server of your own that the BMC reaches. Anyone who can read the ISO can
    take over the cluster, so only https is accepted, and the server should give it to the BMC alone.

    The BMC checks the server's certificate, or does not: that is its own setting.
    """
    if not url.startswith("https://"):
        raise ConfigError(
            f"--url {url}: the ISO holds keys, and must be sent over https.\n    fix: serve it over https"
        )
    redfish = _open(folder)
    name = _with_bmc(redfish, node)
    with busy(f"starting {name} from its medium"):
        redfish.boot(name, url)
    if output == "json":
        print_json({"node": name, "power": "on", "medium": url})
    else:
        tell(f"{name} starts from {url}\nafter the installation: `hardway bmc eject {name}`")


@bmc.command(short_help="Remove the medium from a machine's drive")
@node_argument
@output_option
@click.pass_obj
def eject(folder: Path, node: str, output: str) -> None:
    """Remove the medium from a machine's virtual drive; an empty one stays as it is."""
    redfish = _open(folder)
    name = _with_bmc(redfish, node)
    with busy(f"ejecting the medium of {name}"):
        redfish.eject(name)
    print_json({"node": name, "medium": ""}) if output == "json" else tell(f"{name}: the drive is empty")


def _with_bmc(redfish: Redfish, node: str) -> str:
    if not redfish.bmcs:
        fix = "describe the BMC of a machine there, as `hardway bmc --help` shows"
        raise ConfigError(f"hosts.yaml: no machine has a BMC.\n    fix: {fix}")
    return choose(list(redfish.bmcs), node, "hosts.yaml, with a BMC,")


def _open(folder: Path) -> Redfish:
    from hardway.places.power.choose import redfish_of
    from hardway.workspace.folder import open_workspace

    return redfish_of(open_workspace(folder))
