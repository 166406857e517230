"""Where a thing of the installer's bootstrap node is on ours: in the pods' folder, or in the document it is in."""

from __future__ import annotations

from collections.abc import Mapping

TLS = "/opt/openshift/tls/"
SECRETS = "/etc/kubernetes/bootstrap-secrets/"
DOCUMENTS = "/opt/openshift/manifests/"
LOOPBACK = "/opt/openshift/auth/kubeconfig-loopback"

SIGNERS: Mapping[str, str] = {
    "aggregator-signer": "secret-aggregator-client-signer.yaml",
    "kube-apiserver-lb-signer": "secret-loadbalancer-serving-signer.yaml",
    "kube-apiserver-localhost-signer": "secret-localhost-serving-signer.yaml",
    "kube-apiserver-service-network-signer": "secret-service-network-serving-signer.yaml",
    "kube-apiserver-to-kubelet-signer": "secret-kube-apiserver-to-kubelet-signer.yaml",
    "kube-control-plane-signer": "secret-control-plane-client-signer.yaml",
    "machine-config-server": "machine-config-server-tls-secret.yaml",
}
"""Pairs that are in a Secret for an operator and nowhere else, because nothing on the node reads the files."""

BUNDLES: Mapping[str, str] = {
    "admin-kubeconfig-ca-bundle": DOCUMENTS + "configmap-admin-kubeconfig-client-ca.yaml#data.ca-bundle.crt",
    "kubelet-bootstrap-kubeconfig-ca-bundle": DOCUMENTS
    + "configmap-kubelet-bootstrap-kubeconfig-ca.yaml#data.ca-bundle.crt",
    "kubelet-client-ca-bundle": DOCUMENTS + "configmap-csr-controller-ca.yaml#data.ca-bundle.crt",
    "kubelet-serving-ca-bundle": DOCUMENTS + "configmap-csr-controller-ca.yaml#data.ca-bundle.crt",
    "kube-apiserver-lb-ca-bundle": DOCUMENTS + "secret-loadbalancer-serving-signer.yaml#data.tls.crt",
    "kube-apiserver-localhost-ca-bundle": LOOPBACK + "#clusters[0].cluster.certificate-authority-data",
    "kube-apiserver-service-network-ca-bundle": DOCUMENTS + "secret-service-network-serving-signer.yaml#data.tls.crt",
    "kube-apiserver-to-kubelet-ca-bundle": DOCUMENTS + "secret-kube-apiserver-to-kubelet-signer.yaml#data.tls.crt",
}

CLIENTS: Mapping[str, str] = {
    "kube-control-plane-kube-controller-manager-client": "controller-manager.kubeconfig",
    "kube-control-plane-kube-scheduler-client": "scheduler.kubeconfig",
}
"""Pairs that are embedded in the kubeconfig of the one program which uses them."""


def _all() -> dict[str, str]:
    found = {f"{TLS}{name}.crt": place for name, place in BUNDLES.items()}
    for name, file in SIGNERS.items():
        found[f"{TLS}{name}.crt"] = f"{DOCUMENTS}{file}#data.tls.crt"
        found[f"{TLS}{name}.key"] = f"{DOCUMENTS}{file}#data.tls.key"
    for name, file in CLIENTS.items():
        found[f"{TLS}{name}.crt"] = f"{SECRETS}{file}#users[0].user.client-certificate-data"
        found[f"{TLS}{name}.key"] = f"{SECRETS}{file}#users[0].user.client-key-data"
    return found


PLACES: Mapping[str, str] = _all()


def places_of(path: str) -> tuple[str, ...]:
    """Where to look on our side for what the installer has at a path, the likeliest place first."""
    moved = (SECRETS + path.removeprefix(TLS),) if path.startswith(TLS) else ()
    return (path, *moved, *(PLACES[p] for p in (path,) if p in PLACES))
