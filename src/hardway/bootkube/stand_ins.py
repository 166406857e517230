"""What of our own tables stands in where an operator is not to be had: deviations, one row each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardway.bootkube.context import Context, write
from hardway.ignition.rendered import brought_by

MARK = "cluster-version-operator"  # in the names of manifests that CVO renders itself


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    operator: str
    address: str  # of the asset
    target: str  # below /opt/openshift
    why: str


TABLE: tuple[StandIn, ...] = (
    StandIn(
        operator="kube-controller-manager",
        address="pod/kube-controller-manager",
        target="bootstrap-manifests/kube-controller-manager-pod.yaml",
        why="the nodes' certificates need a signer",
    ),
    StandIn(
        operator="kube-controller-manager",
        address="kubeconfig/controller-manager",
        target="tls/controller-manager.kubeconfig",
        why="our pod has a kubeconfig of its own; cluster-bootstrap takes it to the secrets with the rest of tls/",
    ),
    StandIn(
        operator="kube-scheduler",
        address="pod/kube-scheduler",
        target="bootstrap-manifests/kube-scheduler-pod.yaml",
        why="CVO's Deployments want a place",
    ),
    StandIn(
        operator="kube-scheduler",
        address="kubeconfig/scheduler",
        target="tls/scheduler.kubeconfig",
        why="likewise",
    ),
)


def stand_in(ctx: Context, operator: str) -> list[str]:
    """Put in place what is ours; the names below /opt/openshift."""
    found = dict(_files(ctx, operator))
    for name, content in found.items():
        write(ctx.below(name), content)
    return sorted(found)


def _files(ctx: Context, operator: str) -> Iterator[tuple[str, bytes]]:
    graph, store = ctx.workspace.graph, ctx.workspace.store
    for row in TABLE:
        if row.operator == operator:
            yield row.target, store.read(graph[row.address].path) or b""
    for address, asset in graph.items():
        name = Path(asset.path).name
        if address.startswith("manifest/") and brought_by(name) == operator:
            yield f"manifests/{name}", store.read(asset.path) or b""
    if operator == "api":
        yield from ((f"manifests/{n}", content) for n, content in ctx.workspace.crds.items() if MARK not in n)
