"""The key pairs behind service-account tokens, handed over so that tokens outlive the bootstrap control plane."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.manifests.shapes import config_map, metadata, secret
from hardway.manifests.signers import KASO, KCMO
from hardway.model.cluster import Cluster
from hardway.model.why import because

BOUND = "bound-service-account-signing-key"
OPAQUE = because("A key pair without a certificate; the API does not check its content.")


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (_NEXT_BOUND, _INITIAL, _PUBLIC)


def _next_bound(given: Given) -> dict[str, Any]:
    about = metadata("next-bound-service-account-signing-key", "openshift-kube-apiserver-operator")
    return secret(about, {"service-account.key": given[f"key/{BOUND}"], "service-account.pub": given[f"pub/{BOUND}"]})


def _initial(given: Given) -> dict[str, Any]:
    about = metadata("initial-service-account-private-key", "openshift-config")
    return secret(about, {"service-account.key": given["key/service-account"]})


def _public(given: Given) -> dict[str, Any]:
    about = metadata("sa-token-signing-certs", "openshift-config-managed")
    return config_map(about, {"service-account-001.pub": given.text("pub/service-account")})


_NEXT_BOUND = Document(
    path="manifests/secret-bound-sa-token-signing-key.yaml",
    body=_next_bound,
    needs=(f"key/{BOUND}", f"pub/{BOUND}"),
    reasons={
        "type": OPAQUE,
        'data["service-account.key"]': because("Signs the tokens that kubelets mount into pods."),
        'data["service-account.pub"]': because("Verifies them."),
    },
    why=because(
        "The bound-token key, handed over: the operator promotes it to be the one in use.",
        readers="the kube-apiserver operator",
        breaks="it makes a new pair, and every pod's token becomes invalid at the pivot: Unauthorized",
        source=KASO,
    ),
)

_INITIAL = Document(
    path="manifests/secret-initial-kube-controller-manager-service-account-private-key.yaml",
    body=_initial,
    needs=("key/service-account",),
    reasons={"type": OPAQUE, 'data["service-account.key"]': because("Signs the tokens that are kept in Secrets.")},
    why=because(
        "The controller-manager's token key, handed over.",
        readers="the kube-controller-manager operator",
        breaks="tokens in Secrets made during bootstrap are refused on the masters",
        source=KCMO,
    ),
)

_PUBLIC = Document(
    path="manifests/configmap-sa-token-signing-certs.yaml",
    body=_public,
    needs=("pub/service-account",),
    reasons={'data["service-account-001.pub"]': because("The first of the public keys that verify tokens.")},
    why=because(
        "Which token keys the masters' API servers accept.",
        readers="the kube-apiserver operator",
        breaks="tokens made during bootstrap are refused: Unauthorized",
        source=KASO,
    ),
)
