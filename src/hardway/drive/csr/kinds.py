"""The two kinds of certificates that kubelets ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardway.lines.sources import kubernetes
from hardway.model.why import Why, because


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A signer that kubelets use, what it is for, and which use a request of it must ask for."""

    signer: str
    what: Literal["client", "serving"]
    use: str
    why: Why


KINDS: tuple[Kind, ...] = (
    Kind(
        signer="kubernetes.io/kube-apiserver-client-kubelet",
        what="client",
        use="client auth",
        why=because(
            "The kubelet's identity to the API server. The first request uses the identity that all new nodes share; "
            "later ones use the previous certificate.",
            readers="kube-controller-manager, which signs it once it is approved",
            breaks="the node never registers (F27)",
            source=kubernetes("pkg/kubelet/certificate/bootstrap"),
        ),
    ),
    Kind(
        signer="kubernetes.io/kubelet-serving",
        what="serving",
        use="server auth",
        why=because(
            "The kubelet's serving certificate, for calls from the API server. No cluster approves it automatically.",
            readers="kube-controller-manager, which signs it once it is approved",
            breaks="logs and exec: remote error: tls: internal error (F28)",
            source=kubernetes("pkg/kubelet/certificate/kubelet.go"),
        ),
    ),
)
