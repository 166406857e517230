"""Real etcd members from the emitted pods and PKI, each on a node of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hardway.drive.etcd import CLIENT_PORT, Etcd, Status
from hardway.drive.wire import Endpoint, Identity
from hardway.model.cluster import Node
from hardway.staticpods import masters
from hardway.staticpods.etcd import pod as bootstrap_pod
from hardway.staticpods.paths import host_files
from hardway.workspace.folder import Workspace
from tests.support.node_roots import Nodes
from tests.support.waiting import until


def identity(assets: Path) -> Identity:
    tls = assets / "tls"
    return Identity(
        trust=(tls / "etcd-ca-bundle.crt").read_bytes(),
        certificate=(tls / "etcd-client.crt").read_bytes(),
        key=(tls / "etcd-client.key").read_bytes(),
    )


def etcd_at(workspace: Workspace, *nodes: Node, seconds: float = 5.0) -> Etcd:
    endpoints = [Endpoint(host=n.address, port=CLIENT_PORT) for n in nodes]
    return Etcd(endpoints, identity(workspace.store.root), seconds=seconds)


def start_bootstrap(workspace: Workspace, nodes: Nodes) -> None:
    """The first member; returns when it is healthy."""
    node = workspace.loaded.cluster.bootstrap
    root = nodes[node.name]
    pod = bootstrap_pod.pod(workspace.loaded.cluster, node)
    root.put(files_for(workspace, node, pod))
    root.start(pod)
    etcd = etcd_at(workspace, node)
    until(lambda: isinstance(said := etcd.status(), Status) and said.healthy, root.log("etcd").read_text)


def start_member(workspace: Workspace, nodes: Nodes, node: Node, initial_cluster: str) -> None:
    """A master's member, laid and started; it may take its time."""
    cluster, root = workspace.loaded.cluster, nodes[node.name]
    root.put({f.path: (f.mode, (workspace.store.root / f.source).read_bytes()) for f in masters.files(cluster, node)})
    root.start(masters.etcd_pod(cluster, node, initial_cluster))


def status_of(workspace: Workspace, node: Node) -> Status | None:
    said = etcd_at(workspace, node, seconds=2.0).status()
    return said if isinstance(said, Status) else None


def files_for(workspace: Workspace, node: Node, pod: dict[str, Any]) -> dict[str, tuple[int, bytes]]:
    """What a pod reads from its node, out of the built tree."""
    assets = workspace.store.root
    return {path: (0o600, (assets / masters.source_of(path, node)).read_bytes()) for path in host_files(pod)}
