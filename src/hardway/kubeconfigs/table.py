"""The kubeconfigs. To add one is to add a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardway.lines.sources import kubernetes, source
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because

INSTALLER = source("installer", "pkg/asset/kubeconfig/")
NODE_KUBECONFIGS = source("cluster-kube-apiserver-operator", "Secret node-kubeconfigs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kubeconfig:
    """Which API server face, whose identity, and which of the API server's signers to trust."""

    name: str
    path: str
    server: Callable[[Cluster], str]
    identity: str  # a client certificate of the table
    trust: str  # a bundle of the table
    why: Why
    user: str  # the name inside the file
    tls_server_name: str = ""
    when: Callable[[Cluster], bool] = lambda cluster: True


def _external(cluster: Cluster) -> str:
    return f"https://{cluster.api_host}:6443"


def _internal(cluster: Cluster) -> str:
    return f"https://{cluster.api_int_host}:6443"


def _local(cluster: Cluster) -> str:
    return "https://localhost:6443"


ALL_FACES = "kube-apiserver-complete-server-ca-bundle"
LOCAL_FACE = "kube-apiserver-localhost-ca-bundle"
ADMIN = "admin-kubeconfig-client"

TABLE: tuple[Kubeconfig, ...] = (
    Kubeconfig(
        name="admin",
        path="auth/kubeconfig",
        server=_external,
        identity=ADMIN,
        trust=ALL_FACES,
        user="admin",
        why=because(
            "The administrator's access to the cluster from outside, through the load balancer.",
            readers="kubectl and oc on your machine",
            breaks="you cannot reach the cluster you have just built",
            source=INSTALLER + "admin.go",
        ),
    ),
    Kubeconfig(
        name="kubelet-bootstrap",
        path="auth/kubelet-bootstrap.kubeconfig",
        server=_internal,
        identity="kubelet-client",
        trust=ALL_FACES,
        user="kubelet",
        why=because(
            "The kubelet's credential before it has a certificate: it may request one, as the node-bootstrapper "
            "account.",
            readers="the kubelet on masters and workers, --bootstrap-kubeconfig=/etc/kubernetes/kubeconfig",
            breaks="no node can join (F29)",
            source=INSTALLER + "kubelet.go",
        ),
    ),
    Kubeconfig(
        name="controller-manager",
        path="auth/controller-manager.kubeconfig",
        server=_local,
        identity="kube-control-plane-kube-controller-manager-client",
        trust=LOCAL_FACE,
        user="system:kube-controller-manager",
        why=because(
            "The controller-manager's connection to the API server on the same node, with its own identity and not as "
            "an "
            "administrator.",
            readers="kube-controller-manager, --kubeconfig and the two delegation flags",
            breaks="no controller runs: no endpoints, tokens or signed CSRs",
            source=kubernetes("bootstrap policy, ClusterRole system:kube-controller-manager"),
        ),
    ),
    Kubeconfig(
        name="scheduler",
        path="auth/scheduler.kubeconfig",
        server=_local,
        identity="kube-control-plane-kube-scheduler-client",
        trust=LOCAL_FACE,
        user="system:kube-scheduler",
        why=because(
            "The scheduler's connection to the API server on the same node, with its own identity.",
            readers="kube-scheduler, --kubeconfig and the two delegation flags",
            breaks="every pod that is not static stays Pending",
            source=kubernetes("bootstrap policy, ClusterRole system:kube-scheduler"),
        ),
    ),
    Kubeconfig(
        name="localhost",
        path="auth/localhost.kubeconfig",
        server=_local,
        identity=ADMIN,
        trust=LOCAL_FACE,
        user="loopback",
        why=because(
            "The administrator's access on the bootstrap node: it works before any DNS record or load balancer does.",
            readers="bootkube.sh and the bootstrap CVO",
            breaks="bootkube.sh depends on the load balancer that waits for it",
            source=INSTALLER + "loopback.go",
        ),
    ),
    Kubeconfig(
        name="localhost-recovery",
        path="auth/localhost-recovery.kubeconfig",
        server=_local,
        identity=ADMIN,
        trust=LOCAL_FACE,
        user="localhost-recovery",
        tls_server_name="localhost-recovery",
        why=because(
            "For a cluster whose ordinary serving certificates have expired: it requests the recovery name by SNI.",
            readers="an administrator on a control-plane node, and the recovery controllers later",
            breaks="a cluster that was off until its certificates expired cannot be reached even from its own nodes",
            source=NODE_KUBECONFIGS,
        ),
    ),
    Kubeconfig(
        name="lb-int",
        path="auth/lb-int.kubeconfig",
        server=_internal,
        identity=ADMIN,
        trust=ALL_FACES,
        user="admin",
        why=because(
            "The administrator from inside, through api-int: the path that nodes use.",
            readers="bootkube.sh's last steps on the bootstrap node; an administrator on a node",
            breaks="a fault of api-int or the load balancer is noticed only when the masters fail to join",
            source=INSTALLER + "admininternal.go; " + NODE_KUBECONFIGS,
        ),
    ),
    Kubeconfig(
        name="lb-ext",
        path="auth/lb-ext.kubeconfig",
        server=_external,
        identity=ADMIN,
        trust=ALL_FACES,
        user="lb-ext",
        why=because(
            "The administrator from a node, but through the outer name: it proves that api works from inside too.",
            readers="an administrator on a control-plane node",
            breaks="a split between inner and outer DNS is found late",
            source=NODE_KUBECONFIGS,
        ),
    ),
    Kubeconfig(
        name="kube-proxy",
        path="auth/kube-proxy.kubeconfig",
        server=_internal,
        identity="kube-control-plane-kube-proxy-client",
        trust=ALL_FACES,
        user="system:kube-proxy",
        when=lambda cluster: cluster.kube_proxy,
        why=because(
            "kube-proxy to the API through api-int: it makes ClusterIPs work, so it cannot use one. Only where masters "
            "run kube-proxy: the release has no network operator, or `kubeProxy: true`.",
            readers="kube-proxy on masters, --kubeconfig",
            breaks="no ClusterIP works until OVN is up (F32)",
            source=kubernetes("bootstrap policy, ClusterRole system:node-proxier"),
        ),
    ),
)


def rows(cluster: Cluster) -> tuple[Kubeconfig, ...]:
    """Those that the cluster has."""
    return tuple(row for row in TABLE if row.when(cluster))
