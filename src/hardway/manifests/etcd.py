"""What etcd's operator must find in order to take over the running member instead of starting afresh."""

from __future__ import annotations

from functools import partial
from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests import handover
from hardway.manifests.handover import OWNER_REASON, TYPE_LABEL, TYPE_REASON
from hardway.manifests.shapes import OWNER, config_map, metadata, secret
from hardway.model.cluster import Cluster
from hardway.model.why import because

NAMESPACE = "openshift-etcd"
BOOTSTRAP = "alpha.installer.openshift.io/etcd-bootstrap"
REVISION = "openshift.io/ceo-bundle-rollout-revision"
SOURCE = source("cluster-etcd-operator", "pkg/cmd/render, bindata/bootkube")
SIGNERS = ("etcd-signer", "etcd-metric-signer")
CLIENTS = ("etcd-client", "etcd-metric-client")
BUNDLES = ("etcd-ca-bundle", "etcd-metrics-ca-bundle")
MEMBER = ("etcd-peer", "etcd-serving", "etcd-serving-metrics")


def documents(cluster: Cluster) -> tuple[Document, ...]:
    host = cluster.bootstrap.name
    return (
        _ENDPOINTS,
        _SERVICE,
        *(_pair(name, "signer") for name in SIGNERS),
        *(_pair(name, "target") for name in CLIENTS),
        *(_pair(f"{name}-{host}", "target", serving=True) for name in MEMBER),
        _all_certs(host),
        *(_bundle(name) for name in BUNDLES),
        _ALL_BUNDLES,
    )


def _endpoints(given: Given) -> dict[str, Any]:
    about = metadata("etcd-endpoints", NAMESPACE, annotations={BOOTSTRAP: given.cluster.bootstrap.address})
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about}


def _service(given: Given) -> dict[str, Any]:
    ports = [{"name": name, "port": port, "protocol": "TCP"} for name, port in (("etcd", 2379), ("etcd-metrics", 9979))]
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata("etcd", NAMESPACE, labels={"k8s-app": "etcd"}),
        "spec": {"selector": {"k8s-app": "etcd"}, "ports": ports},
    }


def _pair_body(name: str, kind: str, serving: bool, given: Given) -> dict[str, Any]:
    certificate = given[f"cert/{name}"]
    said = handover.of(certificate, "etcd", hostnames=serving)
    about = metadata(name, NAMESPACE, annotations=said, labels={TYPE_LABEL: kind})
    return secret(about, {"tls.crt": certificate, "tls.key": given[f"key/{name}"]}, "kubernetes.io/tls")


def _pair(name: str, kind: str, *, serving: bool = False) -> Document:
    return Document(
        address=f"manifest/{NAMESPACE}-{name}.yaml",
        path=f"manifests/{NAMESPACE}-{name}.yaml",
        body=partial(_pair_body, name, kind, serving),
        needs=(f"cert/{name}", f"key/{name}"),
        reasons=handover.REASONS | (handover.HOSTNAMES_REASON if serving else {}),
        why=because(
            f"{name}, handed over to the operator: the same certificate that the bootstrap member already works with.",
            readers="the etcd operator, which adopts it and signs the masters' certificates under the same signers",
            breaks="the operator mints its own, and members of the old and the new trust refuse each other (F30)",
            source=SOURCE,
        ),
    )


def _all_certs_body(host: str, given: Given) -> dict[str, Any]:
    files = {
        f"{name}-{host}.{suffix}": given[f"{kind}/{name}-{host}"]
        for name in MEMBER
        for kind, suffix in (("cert", "crt"), ("key", "key"))
    }
    return secret(metadata("etcd-all-certs", NAMESPACE, annotations={OWNER: "Etcd"}), files)


def _all_certs(host: str) -> Document:
    return Document(
        address=f"manifest/{NAMESPACE}-etcd-all-certs.yaml",
        path=f"manifests/{NAMESPACE}-etcd-all-certs.yaml",
        body=partial(_all_certs_body, host),
        needs=tuple(f"{kind}/{name}-{host}" for name in MEMBER for kind in ("cert", "key")),
        reasons={
            f'metadata.annotations["{OWNER}"]': OWNER_REASON,
            "type": because("Many pairs in one Secret; no shape that the API would check."),
            "data.*": because("A member's pair under the file name that its pod reads."),
        },
        why=because(
            "All members' pairs in one place: each member mounts it and picks its own by node name.",
            readers="etcd's static pods; the operator adds one set a master",
            breaks="the operator starts without the bootstrap member's set and does not know the member (F30)",
            source=SOURCE,
        ),
    )


def _bundle_body(name: str, given: Given) -> dict[str, Any]:
    about = metadata(name, NAMESPACE, annotations={OWNER: "etcd"}, labels={TYPE_LABEL: "ca-bundle"})
    return config_map(about, {"ca-bundle.crt": given.text(f"bundle/{name}")})


def _bundle(name: str) -> Document:
    return Document(
        address=f"manifest/{NAMESPACE}-{name}.yaml",
        path=f"manifests/{NAMESPACE}-{name}.yaml",
        body=partial(_bundle_body, name),
        needs=(f"bundle/{name}",),
        reasons={
            f'metadata.annotations["{OWNER}"]': OWNER_REASON,
            f'metadata.labels["{TYPE_LABEL}"]': TYPE_REASON,
            'data["ca-bundle.crt"]': because("The signer; more than one while signers are being changed."),
        },
        why=because(
            f"{name}: whom members and clients trust.",
            readers="the etcd operator, and through it the API server and the members",
            breaks="the operator starts a new bundle without our signer, and nobody trusts the running member (F30)",
            source=SOURCE,
        ),
    )


def _all_bundles(given: Given) -> dict[str, Any]:
    about = metadata("etcd-all-bundles", NAMESPACE, annotations={REVISION: "0", OWNER: "Etcd"})
    bundles = {
        "server-ca-bundle.crt": given.text("bundle/etcd-ca-bundle"),
        "metrics-ca-bundle.crt": given.text("bundle/etcd-metrics-ca-bundle"),
    }
    return config_map(about, bundles)


_ALL_BUNDLES = Document(
    address=f"manifest/{NAMESPACE}-etcd-all-bundles.yaml",
    path=f"manifests/{NAMESPACE}-etcd-all-bundles.yaml",
    body=_all_bundles,
    needs=("bundle/etcd-ca-bundle", "bundle/etcd-metrics-ca-bundle"),
    reasons={
        f'metadata.annotations["{REVISION}"]': because(
            "In which rollout the bundles last changed; nothing has been rolled out yet."
        ),
        f'metadata.annotations["{OWNER}"]': OWNER_REASON,
        'data["server-ca-bundle.crt"]': because("Whom members and their clients trust."),
        'data["metrics-ca-bundle.crt"]': because("Whom the metrics endpoint trusts."),
    },
    why=because(
        "Both bundles under the names that a member's pod reads.",
        readers="etcd's static pods; the operator, which waits for a rollout after each change",
        breaks="the first pods of the operator have no CA files to start with",
        source=SOURCE,
    ),
)

_ENDPOINTS = Document(
    address="manifest/00_etcd-endpoints-cm.yaml",
    path="manifests/00_etcd-endpoints-cm.yaml",
    body=_endpoints,
    reasons={
        f'metadata.annotations["{BOOTSTRAP}"]': because(
            "The bootstrap member's address. No data, on purpose: entries there would count as ordinary members."
        )
    },
    why=because(
        "Where the one etcd that already runs is to be found.",
        readers="the etcd operator, until the bootstrap member is removed; the kube-apiserver operator",
        breaks="the operator looks for etcd on masters where none runs yet, and waits for ever (F30)",
        source=SOURCE,
    ),
)

_SERVICE = Document(
    address="manifest/openshift-etcd-svc.yaml",
    path="manifests/openshift-etcd-svc.yaml",
    body=_service,
    reasons={
        "metadata.labels.k8s-app": because("Monitoring selects the Service by it."),
        "spec.selector.k8s-app": because("The pods behind it: etcd's members."),
        "spec.ports": because("Clients' port, and the one for metrics."),
    },
    why=because(
        "A stable name for the members inside the cluster; it is among the names in their certificates.",
        readers="monitoring, and operators that reach etcd from a pod",
        breaks="metrics cannot be collected, and in-cluster clients have no name to use",
        source=SOURCE,
    ),
)
