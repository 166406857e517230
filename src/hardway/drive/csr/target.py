"""Whose requests are looked at: which nodes may join, through which kubeconfig, and where the keys are recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hardway.drive.access import Access, given_kubeconfig, read_kubeconfig
from hardway.drive.csr.plan import Joining, names, read_nodes
from hardway.drive.live import ADMIN, read_asset
from hardway.model.cluster import Cluster
from hardway.model.config.load import Loaded
from hardway.model.errors import ConfigError
from hardway.workspace.folder import read_text, unread
from hardway.workspace.names import ASSETS, HOSTS, INSTALL_CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    plan: Joining
    access: Access
    home: Path  # of the record


def target(folder: Path, kubeconfig: Path | None, nodes: Path | None) -> Target:
    """The cluster's folder has a plan and a kubeconfig. For a cluster that another program made, both are named."""
    if nodes is not None:
        if (text := read_text(nodes)) is None:
            raise ConfigError(f"{nodes}: there is no such file.\n    fix: `hardway approve --help` shows what to write")
        if kubeconfig is None:
            raise ConfigError("--nodes: --kubeconfig is missing.\n    fix: name an administrator's kubeconfig")
        return Target(plan=read_nodes(text, str(nodes)), access=given_kubeconfig(kubeconfig), home=nodes.parent)
    if not (folder / INSTALL_CONFIG).exists():
        fix = "name the cluster's folder with -C, or its nodes with --nodes FILE"
        raise ConfigError(f"{folder}: no plan is here: {INSTALL_CONFIG} is missing.\n    fix: {fix}")
    loaded = unread(folder)
    cluster, assets = loaded.cluster, folder / ASSETS
    _demand_stated(loaded, folder)
    if kubeconfig is None:
        own = read_kubeconfig(read_asset(assets, ADMIN).decode(), reach=cluster.api_vips, what=ADMIN)
        return Target(plan=cluster, access=own, home=assets)
    access = given_kubeconfig(kubeconfig)
    _demand_same(kubeconfig, access, cluster)
    return Target(plan=cluster, access=access, home=assets)


def _demand_stated(loaded: Loaded, folder: Path) -> None:
    """What was built has gone into the machines. Otherwise a plan that nobody wrote down is a guess."""
    stated = {entry.hostname or name for name, entry in loaded.hosts.entries.items() if entry.addresses}
    guessed = [name for name in names(loaded.cluster) if name not in stated]
    if guessed and not (folder / ASSETS / ADMIN).exists():
        raise ConfigError(
            f"{folder}: nothing was built here, and {HOSTS} has no addresses of {', '.join(guessed)}: the plan is a "
            f"guess.\n    fix: build it with `hardway build`; for machines that exist, write theirs into {HOSTS}"
        )


def _demand_same(kubeconfig: Path, access: Access, cluster: Cluster) -> None:
    """Other clusters have a master-0 too."""
    server = access.endpoints[0].name
    addresses = [address for node in cluster.nodes for address in node.addresses]
    if server not in (cluster.api_host, cluster.api_int_host, *cluster.api_vips, *addresses):
        raise ConfigError(
            f"{kubeconfig}: its server is {server}, and the plan here is of {cluster.domain}.\n"
            "    fix: name a kubeconfig of this cluster, or the other cluster's nodes with --nodes FILE"
        )
