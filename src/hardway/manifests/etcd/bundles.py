"""Whom etcd's members, clients and metrics proxies trust."""

from __future__ import annotations

from functools import partial
from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.manifests.etcd.names import NAMESPACE, OPERATOR, SIGNER_SOURCE
from hardway.manifests.handover import OWNER_REASON, TYPE_LABEL, TYPE_REASON
from hardway.manifests.shapes import OWNER, config_map, metadata
from hardway.model.why import because

REVISION = "openshift.io/ceo-bundle-rollout-revision"


def _bundle_body(name: str, given: Given) -> dict[str, Any]:
    about = metadata(name, NAMESPACE, annotations={OWNER: "etcd"}, labels={TYPE_LABEL: "ca-bundle"})
    return config_map(about, {"ca-bundle.crt": given.text(f"bundle/{name}")})


def _bundle(name: str, what: str, signer: str, readers: str) -> Document:
    return Document(
        path=f"manifests/{NAMESPACE}-{name}.yaml",
        body=partial(_bundle_body, name),
        needs=(f"bundle/{name}",),
        reasons={
            f'metadata.annotations["{OWNER}"]': OWNER_REASON,
            f'metadata.labels["{TYPE_LABEL}"]': TYPE_REASON,
            'data["ca-bundle.crt"]': because("The signer; more than one while signers are being changed."),
        },
        why=because(
            f"{name}: {what}",
            readers=f"{OPERATOR}, which copies it {readers}",
            breaks=f"no lasting effect: the operator makes the bundle from {signer}, if that one is handed over",
            source=SIGNER_SOURCE,
        ),
    )


def _all_bundles(given: Given) -> dict[str, Any]:
    about = metadata("etcd-all-bundles", NAMESPACE, annotations={REVISION: "0", OWNER: "Etcd"})
    bundles = {
        "server-ca-bundle.crt": given.text("bundle/etcd-ca-bundle"),
        "metrics-ca-bundle.crt": given.text("bundle/etcd-metrics-ca-bundle"),
    }
    return config_map(about, bundles)


DOCUMENTS = (
    _bundle(
        "etcd-ca-bundle",
        "the signers that members and clients trust.",
        "etcd-signer",
        "to openshift-config for the masters' API servers",
    ),
    _bundle(
        "etcd-metrics-ca-bundle",
        "the signers that the metrics proxies and Prometheus trust. etcd itself does not read it.",
        "etcd-metric-signer",
        "into its own namespace for the ServiceMonitor",
    ),
    Document(
        path=f"manifests/{NAMESPACE}-etcd-all-bundles.yaml",
        body=_all_bundles,
        needs=("bundle/etcd-ca-bundle", "bundle/etcd-metrics-ca-bundle"),
        reasons={
            f'metadata.annotations["{REVISION}"]': because(
                "The rollout in which the bundles last changed; nothing has been rolled out yet."
            ),
            f'metadata.annotations["{OWNER}"]': OWNER_REASON,
            'data["server-ca-bundle.crt"]': because("The signers that members and their clients trust."),
            'data["metrics-ca-bundle.crt"]': because("The signers that the metrics endpoint trusts."),
        },
        why=because(
            "Both bundles under the names that a member's pod reads.",
            readers=f"{OPERATOR}, which waits for a rollout after each change; its static pods on the masters",
            breaks="no lasting effect: the operator makes it from the two bundles",
            source=SIGNER_SOURCE,
        ),
    ),
)
