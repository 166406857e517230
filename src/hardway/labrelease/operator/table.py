"""What is reported, one row a ClusterOperator, and from which state of the cluster it is judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Row:
    """Pods called `POD-NODE` (static ones) or `POD-xxxxx` must be Ready on each node of a kind."""

    name: str
    pod: str
    namespaces: tuple[str, ...]
    why: str
    nodes: Literal["masters", "all"] = "masters"
    readyz: str = ""  # a check of the API server's own that must pass too
    nodes_ready: bool = False


TABLE = (
    Row(
        name="etcd",
        pod="etcd",
        namespaces=("openshift-etcd",),
        readyz="etcd",
        why="A member on every master, and the API server reaches the store: without a quorum its check fails.",
    ),
    Row(
        name="kube-apiserver",
        pod="kube-apiserver",
        namespaces=("openshift-kube-apiserver",),
        why="One on every master: the load balancer and the kubelets' own view count on each of them.",
    ),
    Row(
        name="kube-controller-manager",
        pod="kube-controller-manager",
        namespaces=("openshift-kube-controller-manager", "kube-system"),
        why="One on every master, one of which leads: it signs the nodes' certificates.",
    ),
    Row(
        name="kube-scheduler",
        pod="kube-scheduler",
        namespaces=("openshift-kube-scheduler", "kube-system"),
        why="One on every master, one of which leads: without it pods stay Pending.",
    ),
    Row(
        name="network",
        pod="kube-proxy",
        namespaces=("kube-system", "openshift-kube-proxy"),
        nodes="all",
        nodes_ready=True,
        why="kube-proxy on every node, and every node Ready, which a kubelet is only with a working pod network.",
    ),
)


SERVICE_CA = "service-ca"
"""Not an operator to report on, but one whose work is done here where it is missing."""


def names() -> tuple[str, ...]:
    return tuple(row.name for row in TABLE)
