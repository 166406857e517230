"""A real OpenShift kube-apiserver and kube-controller-manager from the emitted pods and PKI, beside a real etcd."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import yaml

from hardway.drive.access import Access, read_kubeconfig
from hardway.drive.client import Client, Trouble
from hardway.model.cluster import Node
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.workspace.folder import Workspace
from tests.support.crds import LOADER, files
from tests.support.etcd_servers import files_for, start_bootstrap
from tests.support.node_roots import NodeRoot, Nodes
from tests.support.waiting import until

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
ADMITTING = ("ClusterResourceQuota", "Infrastructure")
UNSYNCED = "not synchronized"


def access(workspace: Workspace, kubeconfig: str, address: str) -> Access:
    """An identity of stage 06, through a node's address."""
    text = (workspace.store.root / "auth" / kubeconfig).read_text()
    return read_kubeconfig(text, reach=(address,))


def admin(workspace: Workspace, node: Node | None = None) -> Client:
    return Client(access(workspace, "kubeconfig", (node or workspace.loaded.cluster.bootstrap).address))


def start_control_plane(workspace: Workspace, nodes: Nodes) -> Client:
    """On the bootstrap node: etcd, the API server, and the controller-manager, which exits unless the API is ready. The
    policy controller beside it does not run: namespaces have ranges of user ids only if a test gives them."""
    start_bootstrap(workspace, nodes)
    cluster, client = workspace.loaded.cluster, admin(workspace)
    root = nodes[cluster.bootstrap.name]
    _start(workspace, root, apiserver.pod(cluster, cluster.bootstrap))
    until(lambda: not isinstance(client.text("/readyz"), Trouble), root.log("kube-apiserver").read_text)
    _types(client)
    _start(workspace, root, _first(controller_manager.pod(cluster, cluster.bootstrap)))
    return client


def _first(pod: dict[str, Any]) -> dict[str, Any]:
    return {**pod, "spec": {**pod["spec"], "containers": pod["spec"]["containers"][:1]}}


def _types(client: Client) -> None:
    """Those that its admission lists before it lets any node or any object of a namespace in: bootkube.sh creates them
    first, with all others. The nodes' plugin then asks for the Infrastructure itself, which is the caller's."""
    for kind in ADMITTING:
        made = client.create(CRDS, yaml.load(files(kind)[0].read_text(), LOADER))
        assert not isinstance(made, Trouble), made
    for collection, kind in (("/api/v1/nodes", "Node"), ("/api/v1/namespaces/default/configmaps", "ConfigMap")):
        body = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "tried"}}
        said = partial(_said, client, f"{collection}?dryRun=All", body)
        until(partial(_synchronized, said), said)


def _said(client: Client, where: str, body: dict[str, Any]) -> str:
    return str(client.create(where, body))


def _synchronized(said: Callable[[], str]) -> bool:
    return UNSYNCED not in said()


def _start(workspace: Workspace, root: NodeRoot, pod: dict[str, Any]) -> None:
    root.put(files_for(workspace, root.node, pod))
    root.start(pod)
