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
            "Who the kubelet is to the API server. The first one is asked for with the identity that every new node "
            "shares; later ones with the certificate before.",
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
            "What the kubelet shows to the API server that calls it. Nothing approves it by itself, in no cluster.",
            readers="kube-controller-manager, which signs it once it is approved",
            breaks="logs and exec: remote error: tls: internal error (F28)",
            source=kubernetes("pkg/kubelet/certificate/kubelet.go"),
        ),
    ),
)
