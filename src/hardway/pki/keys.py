"""Key pairs that have no certificate: service-account tokens and the bootstrap node's SSH."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.lines.sources import source
from hardway.model.entropy import KeyKind
from hardway.model.why import Why, because
from hardway.pki.row import INSTALLER_TLS, Family, PrivateKey


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPair:
    """A private key, and the public half in the form its readers expect."""

    name: str
    kind: KeyKind
    why: Why  # of the public half
    key: PrivateKey
    family: Family | None = None
    ssh: bool = False  # the public half is an authorized_keys line, not PEM


TABLE: tuple[KeyPair, ...] = (
    KeyPair(
        name="service-account",
        family="service-account",
        kind="rsa-2048",
        why=because(
            "Verifies the old kind of service-account token, the one kept in a Secret.",
            readers="kube-apiserver, --service-account-key-file; ConfigMap sa-token-signing-certs, for the time after "
            "the pivot",
            breaks="tokens made during bootstrap are refused on the masters",
            source=INSTALLER_TLS + "serviceaccountkeypair.go",
        ),
        key=PrivateKey(
            readers="kube-controller-manager, --service-account-private-key-file; its operator, from Secret "
            "initial-service-account-private-key",
            allows="forge tokens of any service account",
        ),
    ),
    KeyPair(
        name="bound-service-account-signing-key",
        family="service-account",
        kind="rsa-4096",
        why=because(
            "Verifies the tokens that kubelets mount into pods. RSA 4096, as the kube-apiserver operator makes it.",
            readers="kube-apiserver, --service-account-key-file",
            breaks="every pod's token becomes invalid at the pivot: operators answer Unauthorized",
            source=source("cluster-kube-apiserver-operator", "pkg/cmd/render/render.go"),
        ),
        key=PrivateKey(
            readers="kube-apiserver, --service-account-signing-key-file; its operator, from Secret "
            "next-bound-service-account-signing-key",
            allows="forge tokens of any service account",
        ),
    ),
    KeyPair(
        name="bootstrap-ssh",
        kind="rsa-2048",
        ssh=True,
        why=because(
            "A second SSH key for the bootstrap node: user core accepts it there beside your own.",
            readers="sshd on the bootstrap node, user core",
            breaks="nobody can log in to a bootstrap node without your own sshKey",
            source=INSTALLER_TLS + "bootstrapsshkeypair.go",
        ),
        key=PrivateKey(
            readers="only you, with ssh -i", allows="log in to the bootstrap node as user core, who may become root"
        ),
    ),
)
