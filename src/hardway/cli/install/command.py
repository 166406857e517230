"""hardway install: RHCOS and each machine's own Ignition, onto each machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.install.text import Rows
from hardway.cli.options import nodes_argument, output_option
from hardway.cli.terminal.work import in_bytes, working

if TYPE_CHECKING:
    from hardway.model.cluster import Node
    from hardway.rhcos.run import Run


@click.command()
@nodes_argument
@click.option("--all", "every", is_flag=True, help="Every node of the plan.")
@click.option(
    "--method",
    type=click.Choice(["auto", "iso", "server", "pxe"]),
    default="auto",
    show_default=True,
    help="How a machine gets its Ignition; see above.",
)
@click.option(
    "--iso",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A live ISO of RHCOS. [default: the release's, fetched and checked]",
)
@click.option(
    "--sha256", metavar="HEX", default="", help="The checksum of --iso, if it is not the release's own image."
)
@click.option("--again", is_flag=True, help="Erase the disks, and install again.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and why; change nothing.")
@click.option("--prepare", is_flag=True, help="Make the ISOs for your own machines, and stop.")
@click.option("--connect", metavar="URI", help="The libvirt to use. [default: as for `hardway infra`]")
@click.option("--listen", "listen_on", metavar="ADDRESS", help="Where to serve Ignition. [default: the gateway]")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8443, show_default=True, help="The port to serve Ignition on."
)
@click.option("--files-url", metavar="URL", help="For pxe: where your web server has the files.")
@click.option(
    "--timeout",
    "minutes",
    type=click.FloatRange(0, min_open=True),
    metavar="MINUTES",
    default=45.0,
    help="How long a machine may take. [default: 45]",
)
@output_option
@click.pass_obj
def install(folder: Path, /, nodes: tuple[str, ...], every: bool, output: str, **given: Any) -> None:
    """Install RHCOS with each machine's own Ignition, and watch until it runs.

    The bootstrap node comes first, then the masters, then the workers. Each machine of `hardway infra up` gets a live
    ISO of its own, which installs without input. The serial console is watched, and each known error is reported with
    its meaning and its fix. After an interruption, run it again to continue. Installed machines stay as they are.

    \b
    How a machine gets its Ignition (--method):
      iso      all of it is in the ISO, which then holds keys of the cluster. An ISO has room for 256 KiB.
      server   the ISO has a pointer; this command serves each file once, over TLS, while it runs.
      auto     iso where it fits, else server
      pxe      no ISO: writes the files for your own network boot. The initramfs has the pointer.

    With pxe, serve the Ignition files with `hardway deliver`.

    For machines that are not in libvirt, `--prepare` makes the ISOs in assets/rhcos. Serve pointers with
    `hardway deliver`. Anyone who can read an ISO can take over the cluster.

    \b
    Examples:
      hardway install --all --dry-run
      hardway install bootstrap master-0 master-1 master-2
      hardway install master-1 --again       its disk was replaced
      hardway install --all --prepare --iso rhcos-live.iso
    """
    from hardway.deliver.ledger import names
    from hardway.deliver.run import choose_place
    from hardway.model.entropy import SystemEntropy
    from hardway.rhcos.run import Run, Wishes
    from hardway.workspace.folder import open_workspace

    workspace = open_workspace(folder)
    cluster = workspace.loaded.cluster
    chosen = names(workspace, nodes, every)
    wishes = Wishes(
        method=given["method"],
        iso=given["iso"],
        sha256=given["sha256"],
        place=choose_place(cluster.gateways, given["listen_on"], given["port"], None),
        seconds=given["minutes"] * 60,
    )
    wanted = [node for node in cluster.nodes if node.name in chosen]
    way = _network_boot if given["method"] == "pxe" else _prepare if given["prepare"] else _install
    with working() as work:
        say = Rows(output, work, dry_run=given["dry_run"])
        run = Run(workspace=workspace, wishes=wishes, entropy=SystemEntropy(), say=say, progress=in_bytes(work))
        way(run, say, wanted, given)


def _install(run: Run, say: Rows, nodes: list[Node], given: dict[str, Any]) -> None:
    from hardway.libvirt.choices import choose
    from hardway.libvirt.fleet import open_fleet
    from hardway.places.remembered import connect_of
    from hardway.tools.virsh import Silent

    workspace = run.workspace
    names = tuple(node.name for node in nodes)
    connect = connect_of(workspace.folder, given["connect"])
    fleet = open_fleet(workspace, names, choose(workspace.loaded.settings.infra, connect=connect))
    try:
        jobs = run.jobs(fleet, nodes, again=given["again"])
    except Silent as silent:
        raise Silent(f"{silent}; for machines of your own, give --prepare") from None
    say.plan(jobs, given["method"])
    if given["dry_run"]:
        _examine(run, [job.machine.node for job in jobs if job.new])
        return
    run.install(jobs)
    say.end(jobs)


def _examine(run: Run, nodes: list[Node]) -> None:
    """A dry run refuses what the run itself would."""
    run.examine(nodes)
    if nodes and run.wishes.iso:
        run.image()


def _prepare(run: Run, say: Rows, nodes: list[Node], given: dict[str, Any]) -> None:
    if given["dry_run"]:
        _examine(run, nodes)
        say.would(nodes, "rhcos", ".iso")
        return
    _, delivery = run.media(nodes)
    if delivery:
        say.serve(delivery.left)


def _network_boot(run: Run, say: Rows, nodes: list[Node], given: dict[str, Any]) -> None:
    from hardway.model.errors import ConfigError
    from hardway.rhcos.pxe.config import check_address

    if not given["files_url"]:
        raise ConfigError(
            "--files-url is missing: it tells the machines where kernel and initramfs are.\n"
            "    fix: give the address of your web server's folder, for example --files-url "
            "http://192.168.126.1:8080/rhcos"
        )
    base = check_address(given["files_url"])
    if given["dry_run"]:
        _examine(run, nodes)
        say.would(nodes, "rhcos/pxe", "-initramfs.img")
        return
    say.files(run.network_boot(nodes, base))
    say.serve(tuple(node.name for node in nodes))
