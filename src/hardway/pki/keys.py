"""Key pairs that have no certificate: service-account tokens and the bootstrap node's SSH."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.lines.sources import source
from hardway.model.entropy import KeyKind
from hardway.model.why import Why, because
from hardway.pki.row import INSTALLER_TLS


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPair:
    """A private key, and the public half in the form its readers expect."""

    name: str
    kind: KeyKind
    why: Why
    ssh: bool = False  # the public half is an authorized_keys line, not PEM


TABLE: tuple[KeyPair, ...] = (
    KeyPair(
        name="service-account",
        kind="rsa-2048",
        why=because(
            "Signs the old kind of service-account token, the one kept in a Secret.",
            readers="kube-controller-manager signs with it, kube-apiserver verifies; Secret "
            "initial-service-account-private-key and ConfigMap sa-token-signing-certs keep it across the "
            "pivot",
            breaks="tokens made during bootstrap are refused on the masters",
            source=INSTALLER_TLS + "serviceaccountkeypair.go",
        ),
    ),
    KeyPair(
        name="bound-service-account-signing-key",
        kind="rsa-4096",
        why=because(
            "Signs the tokens that kubelets mount into pods. RSA 4096, as the kube-apiserver operator makes it.",
            readers="kube-apiserver signs and verifies; Secret next-bound-service-account-signing-key keeps it "
            "across the pivot",
            breaks="every pod's token becomes invalid at the pivot: operators answer Unauthorized",
            source=source("cluster-kube-apiserver-operator", "pkg/cmd/render/render.go"),
        ),
    ),
    KeyPair(
        name="bootstrap-ssh",
        kind="rsa-2048",
        ssh=True,
        why=because(
            "A second key for the bootstrap node: its public half is among the keys of user core. Only you use it.",
            readers="sshd on the bootstrap node, user core",
            breaks="nobody can log in to a bootstrap node without your own sshKey",
            source=INSTALLER_TLS + "bootstrapsshkeypair.go",
        ),
    ),
)
