"""The store's own circle."""

from __future__ import annotations

from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.pki.row import ETCD_RENDER, Cert, PrivateKey
from hardway.pki.spec import Spec

_ETCD_NAMES = (
    "localhost",
    "etcd.kube-system.svc",
    "etcd.kube-system.svc.cluster.local",
    "etcd.openshift-etcd.svc",
    "etcd.openshift-etcd.svc.cluster.local",
    "127.0.0.1",
    "::1",
)


def _etcd_sans(cluster: Cluster, node: Node | None) -> tuple[str, ...]:
    assert node is not None
    named = () if node.role == "bootstrap" else (f"etcd-{node.index}.{cluster.domain}",)
    return (*_ETCD_NAMES, *node.addresses, *named)


ETCD: tuple[Cert, ...] = (
    Cert(
        name="etcd-signer",
        family="etcd",
        says=Spec(common_name="openshift-etcd_etcd-signer@{now}"),
        lifetime="5y",
        why=because(
            "Signs every peer, server and client of etcd.",
            readers="etcd members and the API server; the etcd operator, through Secret etcd-signer",
            breaks="the operator creates a signer of its own and the bootstrap member is refused (F30)",
            source=ETCD_RENDER,
        ),
        key=PrivateKey(
            readers="hardway, when it signs etcd's certificates; the etcd operator, from Secret "
            "openshift-etcd/etcd-signer",
            allows="read and change all of etcd, and so every object and Secret, without the API server's RBAC",
        ),
    ),
    Cert(
        name="etcd-metric-signer",
        family="etcd",
        says=Spec(common_name="openshift-etcd_etcd-metric-signer@{now}"),
        lifetime="5y",
        why=because(
            "Signs the clients that may read etcd's metrics, separately from those that may read etcd.",
            readers="the etcd operator, through Secret etcd-metric-signer; its metrics proxies on the masters",
            breaks="no lasting effect: the operator makes another CA for metrics",
            source=ETCD_RENDER,
        ),
        key=PrivateKey(
            readers="hardway, when it signs the certificates for metrics; the etcd operator, from Secret "
            "openshift-etcd/etcd-metric-signer",
            allows="read etcd's metrics, and pose as a member's metrics endpoint",
        ),
    ),
    Cert(
        name="etcd-client",
        family="etcd",
        says=Spec(common_name="etcd-client", organizations=("etcd-client", "system:etcd"), usages=("client",)),
        signer="etcd-signer",
        lifetime="3y",
        why=because(
            "The API server's (and etcdctl's) identity to etcd.",
            readers="kube-apiserver, --etcd-certfile; bootkube.sh's health check",
            breaks="the API server cannot reach its store: remote error: tls: bad certificate (F08)",
            source=ETCD_RENDER,
        ),
        key=PrivateKey(
            readers="kube-apiserver, --etcd-keyfile; bootkube.sh; the etcd operator, from Secret "
            "openshift-etcd/etcd-client",
            allows="read and change all of etcd, and so every object and Secret, without the API server's RBAC",
        ),
    ),
    Cert(
        name="etcd-metric-client",
        family="etcd",
        says=Spec(common_name="etcd-metric", organizations=("etcd-metric", "system:etcd"), usages=("client",)),
        signer="etcd-metric-signer",
        lifetime="3y",
        why=because(
            "The identity of Prometheus to etcd's metrics.",
            readers="Prometheus, through Secret etcd-metric-client",
            breaks="no lasting effect: the etcd operator issues another one",
            source=ETCD_RENDER,
        ),
        key=PrivateKey(
            readers="Prometheus, from Secret openshift-etcd/etcd-metric-client", allows="read etcd's metrics"
        ),
    ),
    Cert(
        name="etcd-peer",
        family="etcd",
        says=Spec(common_name="{first-host}", usages=("client", "server"), chain=True),
        signer="etcd-signer",
        lifetime="3y",
        sans=_etcd_sans,
        per_etcd_node=True,
        why=because(
            "A member's certificate for the other members; it is server and client at once.",
            readers="etcd on that node, --peer-cert-file",
            breaks="members cannot join: remote error: tls: bad certificate (F08)",
            source=ETCD_RENDER,
        ),
        key=PrivateKey(
            readers="etcd on that node, --peer-key-file",
            allows="join etcd as that member, and so read and change every object and Secret",
        ),
    ),
    Cert(
        name="etcd-serving",
        family="etcd",
        says=Spec(common_name="{first-host}", usages=("client", "server"), chain=True),
        signer="etcd-signer",
        lifetime="3y",
        sans=_etcd_sans,
        per_etcd_node=True,
        why=because(
            "A member's serving certificate for its clients; etcd connects to itself with the same pair, so it must "
            "be a client too.",
            readers="etcd on that node, --cert-file",
            breaks="etcd's gateway to itself fails and its health check never passes (F08)",
            source=ETCD_RENDER,
        ),
        key=PrivateKey(
            readers="etcd on that node, --key-file",
            allows="pose as that member to API servers, and read and change all of etcd as a client",
        ),
    ),
    Cert(
        name="etcd-serving-metrics",
        family="etcd",
        says=Spec(common_name="{first-host}", usages=("client", "server"), chain=True),
        signer="etcd-metric-signer",
        lifetime="3y",
        sans=_etcd_sans,
        per_etcd_node=True,
        why=because(
            "A member's metrics endpoint.",
            readers="a metrics proxy beside etcd; only the etcd operator's pods have one, with another pair",
            breaks="no effect in a hand-made control plane: its etcd serves metrics under its ordinary certificate",
            source=ETCD_RENDER,
        ),
        key=PrivateKey(
            readers="a metrics proxy beside etcd; only the etcd operator's pods have one, with another pair",
            allows="pose as that member's metrics endpoint",
        ),
    ),
)
