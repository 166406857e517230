"""hardway gather: what can be seen of a cluster, in one archive without secrets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.doctor import folder_reports
from hardway.cli.options import counted, output_option, print_json
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy
from hardway.model.errors import ConfigError

if TYPE_CHECKING:
    from hardway.gather.archive import Archive
    from hardway.lab.prepared import Prepared
    from hardway.model.check import Report
    from hardway.workspace.folder import Workspace

SECONDS = 180
SHOWN = 12
API = "cluster.answers"  # the check that has run where the API was asked
RECORDS = (".json", ".jsonl")


@click.command()
@click.option(
    "--to",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The archive. [default: hardway-gather-NAME-TIME.tar.gz]",
)
@click.option(
    "--kubeconfig",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Ask the API as this administrator. [default: assets/auth/kubeconfig]",
)
@click.option(
    "--identity",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="The private SSH key for the machines. [default: assets/ssh/login, or what your ssh finds]",
)
@click.option(
    "--seconds",
    type=click.IntRange(1, 3600),
    default=SECONDS,
    metavar="N",
    help=f"After this time nothing more is asked. [default: {SECONDS}]",
)
@output_option
@click.pass_obj
def gather(
    folder: Path, to: Path | None, kubeconfig: Path | None, identity: Path | None, seconds: int, output: str
) -> None:
    """Collect what can be seen of a cluster into one archive, for another person or for later.

    It takes what it can reach: the files of the cluster's folder (-C) as a list, its plan and configuration; the record
    of `hardway up`; the objects of the API; the status of etcd, and of the lab's HAProxy or of the one whose admin
    socket is remembered; and from each machine, in the lab or by SSH, the journal, the logs of static pods, addresses,
    names and ports as that machine sees them. The index page lists every file, and what could not be reached, with the
    reason. `hardway doctor FILE` reads the archive on any machine.

    No secret goes into it: no key, token, password, pull secret or kubeconfig. Secrets of this folder are searched for
    in every file, and whatever looks like one is replaced by (hidden). The archive is for its owner alone
    (mode 0600); host names and addresses are in it.

    \b
    Examples:
      hardway gather                                this folder, its lab or its machines
      hardway gather --kubeconfig auth/kubeconfig   any cluster, by its API alone
      hardway doctor hardway-gather-ocp4-20260102-030405.tar.gz
    """
    from hardway.gather.archive import Archive
    from hardway.gather.secrets import cluster_secrets, secrets_of
    from hardway.model.entropy import SystemEntropy
    from hardway.tools.patience import Patience
    from hardway.workspace.folder import open_workspace
    from hardway.workspace.names import INSTALL_CONFIG

    workspace = open_workspace(folder) if (folder / INSTALL_CONFIG).exists() else None
    if workspace is None and kubeconfig is None:
        fix = "name the cluster's folder with -C, or an administrator's kubeconfig with --kubeconfig"
        raise ConfigError(f"{folder}: there is nothing to gather: {INSTALL_CONFIG} is missing.\n    fix: {fix}")
    if to and not to.parent.is_dir():
        raise ConfigError(
            f"{to}: there is no folder {to.parent}.\n    fix: make the folder, or name another file with --to"
        )
    now, assets = SystemEntropy().now(), folder / "assets"
    archive = Archive(
        cluster=workspace.loaded.cluster.name if workspace else "cluster",
        now=now,
        secrets=cluster_secrets(assets, workspace.loaded.cluster) if workspace else secrets_of(assets),
        patience=Patience(seconds),
    )
    path = to or Path(f"hardway-gather-{archive.cluster}-{now:%Y%m%d-%H%M%S}.tar.gz")
    with busy("gathering what can be reached"):
        _everything(archive, workspace, kubeconfig, identity)
        archive.write(path)
    _print(archive, path, output)


def _everything(archive: Archive, workspace: Workspace | None, kubeconfig: Path | None, identity: Path | None) -> None:
    from hardway.doctor.bundle import stored
    from hardway.gather.archive import FINDINGS
    from hardway.gather.folder import folder
    from hardway.lab.stages import stages
    from hardway.model.check import Report

    if workspace:
        folder(archive, workspace, stages)
    lab = _lab(archive, workspace) if workspace else None
    reports = folder_reports(workspace.folder, identity, host=False, network=False, since=None) if workspace else []
    if lab:
        from hardway.lab.gathered import gather as gather_lab

        gather_lab(archive, lab)
    else:
        known = not kubeconfig and any(API in report.ran for report in reports)
        reports += _api(archive, workspace, kubeconfig, known=known)
        if workspace:
            _kept(archive, workspace)
        _machines(archive, workspace, identity)
    archive.add(FINDINGS, stored(Report.merge(reports)), "what `hardway doctor` found there")


def _lab(archive: Archive, workspace: Workspace) -> Prepared | None:
    from hardway.lab import owner
    from hardway.lab.prepared import opened, paths_of

    cluster = workspace.loaded.cluster
    if not owner.has_lab(cluster.name, workspace.folder):
        return None
    paths = paths_of(cluster, workspace.folder)
    up = owner.marked(paths) == paths.mark
    if up and os.geteuid() == 0:
        return opened(workspace.folder)
    archive.miss("lab", "only root can read a lab" if up else "the lab is not up")
    return None


def _api(archive: Archive, workspace: Workspace | None, kubeconfig: Path | None, *, known: bool) -> list[Report]:
    """`known`: what is wrong with the cluster was found already."""
    from hardway.doctor.running import examine
    from hardway.drive.access import given_kubeconfig, read_kubeconfig
    from hardway.drive.client import Client
    from hardway.drive.live import ADMIN, read_asset
    from hardway.gather.api import objects
    from hardway.model.errors import HardwayError

    try:
        if kubeconfig:
            access = given_kubeconfig(kubeconfig)
        else:
            assert workspace is not None
            text = read_asset(workspace.store.root, ADMIN).decode()
            access = read_kubeconfig(text, reach=workspace.loaded.cluster.api_vips, what=ADMIN)
    except HardwayError as error:
        if kubeconfig:
            raise
        archive.miss("api", str(error))
        return []
    client = Client(access)
    return [examine(client)] if objects(archive, client) and not known else []


def _kept(archive: Archive, workspace: Workspace) -> None:
    """Of a cluster on libvirt or on machines of your own: the record of its way, its etcd, and an HAProxy whose admin
    socket is remembered."""
    from functools import partial

    from hardway.io import links
    from hardway.network.haproxy.runtime import ask
    from hardway.places.remembered import kept, read

    place = read(workspace.folder)
    if place is None:
        return
    record, root = kept(workspace.folder), workspace.store.root
    for name in sorted(path.name for path in record.iterdir() if path.name.endswith(RECORDS)):
        made = partial(links.read, record / name, root)
        archive.attempt(f"folder/{record.name}/{name}", "the record of `hardway up`", made)
    if place.socket:
        shown = partial(ask, Path(place.socket), "show stat -1 4 -1")
        archive.attempt("balancer.csv", "HAProxy's servers", shown)
    _etcd(archive, workspace)


def _etcd(archive: Archive, workspace: Workspace) -> None:
    from hardway.drive.etcd import CLIENT_PORT
    from hardway.drive.live import members
    from hardway.gather.api import etcd
    from hardway.model.errors import HardwayError
    from hardway.places.own.outside import answers

    cluster = workspace.loaded.cluster
    try:
        found = members(cluster, workspace.store.root)
    except HardwayError as error:
        archive.miss("etcd", str(error))
        return
    for node in cluster.control_plane:
        if answers(node.address, (CLIENT_PORT,)):
            etcd(archive, node.name, found[node.name])
        else:
            archive.miss(f"etcd/{node.name}", f"nothing answers on port {CLIENT_PORT} of {node.address}")


def _machines(archive: Archive, workspace: Workspace | None, identity: Path | None) -> None:
    """By SSH, where the build has made the host keys."""
    from hardway.drive.ssh import open_ssh
    from hardway.gather.machines import machines
    from hardway.ignition.ssh import KNOWN_HOSTS_PATH

    if workspace is None or not (workspace.store.root / KNOWN_HOSTS_PATH).is_file():
        archive.miss("machines", "their SSH host keys are not known without a folder in which stage 08 is built")
        return
    cluster = workspace.loaded.cluster
    with open_ssh(cluster, workspace.store.root, identity) as ssh:
        machines(archive, cluster, ssh.run, [node.name for node in cluster.nodes])


def _print(archive: Archive, path: Path, output: str) -> None:
    missing = sorted(archive.missing, key=lambda row: row.name)
    size = path.stat().st_size
    if output == "json":
        rows = [{"name": row.name, "why": row.why, "fix": row.fix} for row in missing]
        print_json({"archive": str(path), "bytes": size, "files": len(archive.files), "missing": rows})
        return
    for row in missing[:SHOWN]:
        show(f"not reached: {row.name}: {row.why}" + (f"\n    fix: {row.fix}" if row.fix else ""))
    if len(missing) > SHOWN:
        show(f"and {len(missing) - SHOWN} more; index.md in the archive has all")
    show(f"{path}: {counted(len(archive.files), 'file')}, {size / 1e3:,.0f} kB")
    tell(f"Next: hardway doctor {path}")
