"""A cluster on libvirt or on machines of its owner's, opened: its plan, its files, its machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hardway.drive.access import read_kubeconfig
from hardway.drive.live import ADMIN, LiveCluster, open_cluster, read_asset
from hardway.drive.ssh import Ssh, open_ssh
from hardway.io import links
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError, ToolError
from hardway.places.own.balancer import Balancer, Outside, Socket
from hardway.places.own.machines import OwnMachines
from hardway.places.power.choose import power_of
from hardway.places.remembered import kept as kept_of
from hardway.staticpods.apiserver.serving import PORT
from hardway.workspace.folder import Workspace, open_workspace
from hardway.workspace.names import ASSETS, SETTINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCluster:
    live: LiveCluster
    machines: OwnMachines

    @property
    def kept(self) -> Path:
        return self.machines.kept


def demand_built(folder: Path) -> Workspace:
    workspace = open_workspace(folder)
    cluster = workspace.loaded.cluster
    if cluster.road == "rendered":
        raise ConfigError(
            f"{folder / SETTINGS}: the road rendered makes etcd's keys on the bootstrap node, and no command fetches "
            "them from there.\n"
            "    fix: do the stages yourself, as `hardway guide vendor-release` lists them; or leave `road` out, build "
            "again, and install the machines with the new files"
        )
    missing = [n.name for n in cluster.nodes if not (folder / ASSETS / f"{n.name}.ign").is_file()]
    if missing:
        raise ConfigError(
            f"{folder / ASSETS}: the Ignition file of {', '.join(missing)} is missing.\n"
            "    fix: make it with `hardway build 04` and `hardway build`, and install the machines with it"
        )
    return workspace


@contextmanager
def opened(folder: Path, identity: Path | None = None, socket: Path | None = None) -> Iterator[OwnCluster]:
    """`socket`: of an HAProxy on this machine; without it, the load balancer is somebody else's."""
    workspace, assets = demand_built(folder), folder / ASSETS
    cluster = workspace.loaded.cluster
    kept = kept_of(folder)
    links.refuse(kept)
    with open_ssh(cluster, assets, identity) as ssh:
        balance = Socket(socket) if socket else outside(cluster, assets, kept, partial(connections, ssh))
        machines = OwnMachines(cluster=cluster, ssh=ssh, kept=kept, balance=balance, power=power_of(workspace))
        live = open_cluster(cluster, assets, machines)
        try:
            yield OwnCluster(live=live, machines=machines)
        finally:
            live.pool.shutdown()


def outside(cluster: Cluster, assets: Path, kept: Path, held: Callable[[str], int]) -> Balancer:
    """`held`: how many connections the API server of a node has."""
    admin = read_kubeconfig(read_asset(assets, ADMIN).decode(), reach=cluster.api_vips, what=ADMIN)
    return Outside(cluster, admin, kept, held)


def connections(ssh: Ssh, node: str) -> int:
    """Of the node's API server, as the node counts them; of a node that is off, none."""
    try:
        return len(ssh.run(node, ["ss", "-Htn", "state", "established", "sport", "=", f":{PORT}"]).output.splitlines())
    except ToolError:
        return 0
