"""What a row of the certificate table says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from hardway.lines.sources import source
from hardway.model.cluster import Cluster, Node
from hardway.model.why import Why, because
from hardway.pki.spec import Spec

Family = Literal["root", "etcd", "kubernetes", "front-proxy", "service-account", "admin"]
Lifetime = Literal["joining", "short", "1y", "3y", "5y", "10y"]

FAMILIES: dict[Family, str] = {
    "root": "signs what a machine uses before it is part of the cluster: the machine-config server and the journal",
    "etcd": "etcd's own PKI: only certificates of these signers can talk to etcd, and nothing else uses them",
    "kubernetes": "the API server's serving certificates, the kubelets, and the control plane's clients",
    "front-proxy": "the API server acting for a user at an extension API server",
    "service-account": "key pairs that sign and verify service-account tokens; no certificates at all",
    "admin": "the person with the kubeconfig",
}

INSTALLER_TLS = source("installer", "pkg/asset/tls/")
ETCD_RENDER = source("cluster-etcd-operator", "pkg/cmd/render, pkg/tlshelpers")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateKey:
    """A private key: who reads it, and what anyone who has it can do."""

    readers: str
    allows: str

    def reason(self, public: str, source: str) -> Why:
        """Its reason; `public` is the address of the certificate or public key that it belongs to."""
        return because(
            f"The private key of {public}. Anyone who has it can {self.allows}.",
            readers=self.readers,
            breaks=f"nothing can use {public}, and a build stops: `hardway build --rotate missing` makes a new key and "
            "everything derived from it",
            source=source,
        )


def no_sans(cluster: Cluster, node: Node | None) -> tuple[str, ...]:
    return ()


def always(cluster: Cluster) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cert:
    """One certificate: what it says, who signs it, how long it lives, and what breaks without it; and its key."""

    name: str
    family: Family
    says: Spec
    why: Why
    key: PrivateKey
    signer: str | None = None  # None: it signs itself
    lifetime: Lifetime = "10y"
    sans: Callable[[Cluster, Node | None], tuple[str, ...]] = no_sans
    per_etcd_node: bool = False  # one for the bootstrap node and one for each master
    when: Callable[[Cluster], bool] = always

    @property
    def is_ca(self) -> bool:
        return self.signer is None
