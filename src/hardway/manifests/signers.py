"""Keys and CAs handed over to the operators, so that what was signed here is still believed after the pivot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests import handover
from hardway.manifests.handover import OWNER_REASON, TYPE_LABEL
from hardway.manifests.shapes import OWNER, config_map, metadata, secret
from hardway.model.cluster import Cluster
from hardway.model.why import because

KASO = source("cluster-kube-apiserver-operator", "bindata/bootkube/manifests")
KCMO = source("cluster-kube-controller-manager-operator", "bindata/bootkube/manifests")
MCO = source("machine-config-operator", "manifests/machineconfigserver")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """A CA and its key, as the Secret that an operator signs from."""

    name: str
    certificate: str
    breaks: str
    operator: str = "kube-apiserver"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """CA certificates, as the ConfigMap that an operator builds its own bundles from."""

    name: str
    file: str
    namespace: str
    bundle: str
    owner: str
    source: str
    readers: str
    breaks: str


SIGNERS: tuple[Signer, ...] = (
    Signer(
        name="loadbalancer-serving-signer",
        certificate="kube-apiserver-lb-signer",
        breaks="kubelets and administrators refuse the masters' API servers behind api and api-int",
    ),
    Signer(
        name="localhost-serving-signer",
        certificate="kube-apiserver-localhost-signer",
        breaks="everything on a master that talks to its own API server refuses it",
    ),
    Signer(
        name="service-network-serving-signer",
        certificate="kube-apiserver-service-network-signer",
        breaks="pods refuse the API server behind the kubernetes Service",
    ),
    Signer(
        name="aggregator-client-signer",
        certificate="aggregator-signer",
        breaks="extension API servers that do not know the operator's new CA yet refuse the masters' API servers, and "
        "their APIServices are unavailable (F10)",
    ),
    Signer(
        name="kube-apiserver-to-kubelet-signer",
        certificate="kube-apiserver-to-kubelet-signer",
        breaks="kubelets refuse the masters' API servers until the machine-config operator brings them the new CA: no "
        "logs, no exec",
    ),
    Signer(
        name="kube-control-plane-signer",
        certificate="kube-control-plane-signer",
        breaks="the masters' API servers answer 401 to clients with a certificate of this signer: a hand-made "
        "controller-manager, scheduler and kube-proxy",
    ),
    Signer(
        name="csr-signer-signer",
        certificate="kubelet-signer",
        operator="kube-controller-manager",
        breaks="certificates of nodes that joined during bootstrap are refused, and the nodes turn NotReady (F29)",
    ),
)

TRUSTED: tuple[Trust, ...] = (
    Trust(
        name="admin-kubeconfig-client-ca",
        file="configmap-admin-kubeconfig-client-ca.yaml",
        namespace="openshift-config",
        bundle="admin-kubeconfig-ca-bundle",
        owner="kube-apiserver",
        source=KASO,
        readers="the kube-apiserver operator, for the client CA of the masters' API servers",
        breaks="auth/kubeconfig stops working when the bootstrap node goes",
    ),
    Trust(
        name="csr-controller-ca",
        file="configmap-csr-controller-ca.yaml",
        namespace="openshift-config-managed",
        bundle="kubelet-client-ca-bundle",
        owner="kube-controller-manager",
        source=KASO,
        readers="the kube-apiserver operator, until the controller-manager operator keeps it up to date",
        breaks="nodes that joined during bootstrap are refused with 401 at the pivot (F29)",
    ),
    Trust(
        name="kubelet-bootstrap-kubeconfig",
        file="configmap-kubelet-bootstrap-kubeconfig-ca.yaml",
        namespace="openshift-config-managed",
        bundle="kubelet-bootstrap-kubeconfig-ca-bundle",
        owner="kube-apiserver",
        source=KASO,
        readers="the kube-apiserver operator; taking it away revokes the bootstrap credential",
        breaks="nodes added after the pivot are refused with 401",
    ),
    Trust(
        name="initial-kube-apiserver-server-ca",
        file="kube-apiserver-serving-ca-configmap.yaml",
        namespace="openshift-config",
        bundle="kube-apiserver-complete-client-ca-bundle",
        owner="Machine Config Operator",
        source=MCO,
        readers="the machine-config operator, for its first ControllerConfig; despite the name it is the client bundle",
        breaks="the machine-config operator makes no ControllerConfig: configmaps not found",
    ),
)


def _signer_body(row: Signer, given: Given) -> dict[str, Any]:
    certificate = given[f"cert/{row.certificate}"]
    about = metadata(
        row.name,
        f"openshift-{row.operator}-operator",
        annotations=handover.of(certificate, row.operator),
        labels={TYPE_LABEL: "signer"},
    )
    return secret(about, {"tls.crt": certificate, "tls.key": given[f"key/{row.certificate}"]}, "kubernetes.io/tls")


def _signer(row: Signer) -> Document:
    file = (
        "secret-control-plane-client-signer.yaml"
        if row.name == "kube-control-plane-signer"
        else f"secret-{row.name}.yaml"
    )
    return Document(
        path=f"manifests/{file}",
        body=partial(_signer_body, row),
        needs=(f"cert/{row.certificate}", f"key/{row.certificate}"),
        reasons=handover.signer(row.breaks),
        why=because(
            f"{row.certificate}, handed over: the operator signs the next certificates with it instead of a new one.",
            readers=f"the {row.operator} operator",
            breaks=row.breaks,
            source=KASO if row.operator == "kube-apiserver" else KCMO,
        ),
    )


def _trust_body(row: Trust, given: Given) -> dict[str, Any]:
    about = metadata(row.name, row.namespace, annotations={OWNER: row.owner})
    return config_map(about, {"ca-bundle.crt": given.text(f"bundle/{row.bundle}")})


def _trust(row: Trust) -> Document:
    return Document(
        path=f"manifests/{row.file}",
        body=partial(_trust_body, row),
        needs=(f"bundle/{row.bundle}",),
        reasons={
            f'metadata.annotations["{OWNER}"]': OWNER_REASON,
            'data["ca-bundle.crt"]': because(f"The certificates of {row.bundle}."),
        },
        why=because(
            f"{row.bundle}, handed over as {row.name}.", readers=row.readers, breaks=row.breaks, source=row.source
        ),
    )


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (*(_signer(row) for row in SIGNERS), *(_trust(row) for row in TRUSTED))
