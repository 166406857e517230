"""A real OpenShift kube-apiserver and kube-controller-manager from the emitted pods and PKI, beside a real etcd."""

from __future__ import annotations

from typing import Any

from hardway.drive.access import Access, read_kubeconfig
from hardway.drive.client import Client, Trouble
from hardway.model.cluster import Node
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.workspace.folder import Workspace
from tests.support.etcd_servers import files_for, start_bootstrap
from tests.support.node_roots import NodeRoot, Nodes
from tests.support.waiting import until


def access(workspace: Workspace, kubeconfig: str, address: str) -> Access:
    """An identity of stage 06, through a node's address."""
    text = (workspace.store.root / "auth" / kubeconfig).read_text()
    return read_kubeconfig(text, reach=(address,))


def admin(workspace: Workspace, node: Node | None = None) -> Client:
    return Client(access(workspace, "kubeconfig", (node or workspace.loaded.cluster.bootstrap).address))


def start_control_plane(workspace: Workspace, nodes: Nodes) -> Client:
    """On the bootstrap node: etcd, the API server, and the controller-manager, which exits unless the API is ready."""
    start_bootstrap(workspace, nodes)
    cluster, client = workspace.loaded.cluster, admin(workspace)
    root = nodes[cluster.bootstrap.name]
    _start(workspace, root, apiserver.pod(cluster, cluster.bootstrap))
    until(lambda: not isinstance(client.text("/readyz"), Trouble), root.log("kube-apiserver").read_text)
    _start(workspace, root, controller_manager.pod(cluster, cluster.bootstrap))
    return client


def _start(workspace: Workspace, root: NodeRoot, pod: dict[str, Any]) -> None:
    root.put(files_for(workspace, root.node, pod))
    root.start(pod)
