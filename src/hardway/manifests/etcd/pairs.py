"""etcd's certificates with their keys: signers and clients for the operator, and the bootstrap member's own."""

from __future__ import annotations

from functools import partial
from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.manifests import handover
from hardway.manifests.etcd.names import NAMESPACE, OPERATOR, SIGNER_SOURCE
from hardway.manifests.handover import OWNER_REASON, TYPE_LABEL
from hardway.manifests.shapes import OWNER, metadata, secret
from hardway.model.why import Why, because

MEMBER = ("etcd-peer", "etcd-serving", "etcd-serving-metrics")
TWO_TRUSTS = "members of the old and the new trust refuse each other (F30)"


def documents(host: str) -> tuple[Document, ...]:
    return (*HANDED_OVER, *(_member_pair(name, host) for name in MEMBER), _all_certs(host))


def _body(name: str, kind: str, serving: bool, given: Given) -> dict[str, Any]:
    certificate = given[f"cert/{name}"]
    said = handover.of(certificate, "etcd", hostnames=serving)
    about = metadata(name, NAMESPACE, annotations=said, labels={TYPE_LABEL: kind})
    return secret(about, {"tls.crt": certificate, "tls.key": given[f"key/{name}"]}, "kubernetes.io/tls")


def _pair(
    name: str, what: str, *, kind: str, reasons: dict[str, Why], readers: str, breaks: str, serving: bool = False
) -> Document:
    return Document(
        path=f"manifests/{NAMESPACE}-{name}.yaml",
        body=partial(_body, name, kind, serving),
        needs=(f"cert/{name}", f"key/{name}"),
        reasons=reasons,
        why=because(f"{name}: {what}", readers=readers, breaks=breaks, source=SIGNER_SOURCE),
    )


HANDED_OVER = (
    _pair(
        "etcd-signer",
        "the CA of etcd's members and clients with its key, handed over to the operator.",
        kind="signer",
        reasons=handover.signer(TWO_TRUSTS),
        readers=f"{OPERATOR}, which signs the masters' certificates with it",
        breaks=f"the operator makes a signer of its own, and {TWO_TRUSTS}",
    ),
    _pair(
        "etcd-metric-signer",
        "the CA of etcd's metrics with its key, handed over to the operator. No etcd member trusts it.",
        kind="signer",
        reasons=handover.signer("no etcd member uses either"),
        readers=f"{OPERATOR}, which signs the certificates of the masters' metrics proxies with it",
        breaks="no lasting effect: the operator makes another CA for metrics, and no etcd member uses either",
    ),
    _pair(
        "etcd-client",
        "the API server's identity to etcd, handed over to the operator.",
        kind="target",
        reasons=handover.TARGET,
        readers=f"{OPERATOR}, which uses it and copies it to openshift-config for the masters' API servers",
        breaks="no lasting effect: the operator issues another one under the same signer",
    ),
    _pair(
        "etcd-metric-client",
        "Prometheus' client certificate for etcd's metrics, handed over to the operator.",
        kind="target",
        reasons=handover.TARGET,
        readers=f"{OPERATOR}, which copies it into its own namespace for the ServiceMonitor",
        breaks="no lasting effect: the operator issues another one under the same metric signer",
    ),
)


def _member_pair(name: str, host: str) -> Document:
    return _pair(
        f"{name}-{host}",
        "a certificate of the bootstrap member with its key, as the operator's render keeps it in the cluster.",
        kind="target",
        reasons=handover.UNMANAGED,
        readers="nobody: the bootstrap member reads the files of its own machine",
        breaks="no effect: no program reads it",
        serving=True,
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
        path=f"manifests/{NAMESPACE}-etcd-all-certs.yaml",
        body=partial(_all_certs_body, host),
        needs=tuple(f"{kind}/{name}-{host}" for name in MEMBER for kind in ("cert", "key")),
        reasons={
            f'metadata.annotations["{OWNER}"]': OWNER_REASON,
            "type": because("Many pairs in one Secret; the API does not check their content."),
            "data.*": because("A member's pair under the file name that its pod reads."),
        },
        why=because(
            "All members' pairs in one place: each member mounts it and picks its own by node name.",
            readers=f"{OPERATOR}, which replaces it with the masters' pairs; its static pods on the masters",
            breaks="no lasting effect: the operator writes it again. It knows the bootstrap member from the "
            "annotation of etcd-endpoints, not from here",
            source=SIGNER_SOURCE,
        ),
    )
