"""CA bundles: whom a reader trusts, in the order the installer writes them."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.model.why import Why, because
from hardway.pki.row import ETCD_RENDER, INSTALLER_TLS


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    name: str
    signers: tuple[str, ...]
    why: Why


def _of(name: str, signers: tuple[str, ...], what: str, readers: str, breaks: str, file: str) -> Bundle:
    source = file if "/" in file else INSTALLER_TLS + file
    return Bundle(name=name, signers=signers, why=because(what, readers=readers, breaks=breaks, source=source))


UNREAD = "nobody: no program of the release reads this file; the installer writes it"
UNUSED = "no effect: no program reads it"
_LOCALHOST = "kube-apiserver-localhost-signer"
_SERVICE = "kube-apiserver-service-network-signer"
_LB = "kube-apiserver-lb-signer"

TABLE: tuple[Bundle, ...] = (
    _of(
        "admin-kubeconfig-ca-bundle",
        ("admin-kubeconfig-signer",),
        "The signer of administrators that the API server trusts.",
        "ConfigMap openshift-config/admin-kubeconfig-client-ca",
        "the administrator's kubeconfig stops working at the pivot",
        "adminkubeconfig.go",
    ),
    _of(
        "aggregator-ca-bundle",
        ("aggregator-signer",),
        "The signer of clients that may act for a user at an extension API server.",
        "kube-apiserver, --requestheader-client-ca-file",
        "extension API servers refuse the API server (F10)",
        "aggregator.go",
    ),
    _of(
        "kube-apiserver-to-kubelet-ca-bundle",
        ("kube-apiserver-to-kubelet-signer",),
        "The signers of the clients that a kubelet accepts.",
        UNREAD,
        UNUSED,
        "apiserver.go",
    ),
    _of(
        "kube-apiserver-localhost-ca-bundle",
        (_LOCALHOST,),
        "Trust for kubeconfigs that point at localhost.",
        "the localhost and localhost-recovery kubeconfigs",
        "bootkube.sh and the bootstrap control plane refuse the API server",
        "apiserver.go",
    ),
    _of(
        "kube-apiserver-service-network-ca-bundle",
        (_SERVICE,),
        "Trust for clients that use the kubernetes Service.",
        UNREAD,
        UNUSED,
        "apiserver.go",
    ),
    _of(
        "kube-apiserver-lb-ca-bundle",
        (_LB,),
        "Trust for clients that use the load balancer.",
        UNREAD,
        UNUSED,
        "apiserver.go",
    ),
    _of(
        "kube-apiserver-complete-server-ca-bundle",
        (_LOCALHOST, _SERVICE, _LB),
        "The signers of all serving certificates of the API server: the masters' API servers get certificates from "
        "three separate signers.",
        "every kubeconfig; kube-controller-manager, --root-ca-file, and so every pod",
        "clients that trusted one serving certificate refuse the next one after the pivot",
        "apiserver.go",
    ),
    _of(
        "kube-control-plane-ca-bundle",
        ("kube-control-plane-signer", _LB, _LOCALHOST, _SERVICE),
        "The signers of control-plane clients, and of the API server's serving certificates.",
        "cluster-policy-controller beside a rendered controller-manager, clientCA",
        "no effect in a hand-made control plane; a rendered cluster-policy-controller lacks a file that its "
        "configuration names",
        "kubecontrolplane.go",
    ),
    _of(
        "kubelet-client-ca-bundle",
        ("kubelet-signer",),
        "The signer of kubelet client certificates that the API server trusts.",
        "ConfigMap openshift-config-managed/csr-controller-ca; kube-apiserver, --kubelet-certificate-authority",
        "nodes turn NotReady at the pivot (F29)",
        "kubelet.go",
    ),
    _of(
        "kubelet-serving-ca-bundle",
        ("kubelet-signer",),
        "The signer of kubelet serving certificates.",
        UNREAD,
        UNUSED,
        "kubelet.go",
    ),
    _of(
        "kubelet-bootstrap-kubeconfig-ca-bundle",
        ("kubelet-bootstrap-kubeconfig-signer",),
        "The signer of the kubelets' bootstrap identity that the API server trusts.",
        "ConfigMap openshift-config-managed/kubelet-bootstrap-kubeconfig",
        "nodes added after the pivot are refused with 401",
        "kubelet.go",
    ),
    _of(
        "kube-apiserver-complete-client-ca-bundle",
        (
            "admin-kubeconfig-signer",
            "kubelet-signer",
            "kube-control-plane-signer",
            "kube-apiserver-to-kubelet-signer",
            "kubelet-bootstrap-kubeconfig-signer",
        ),
        "Every signer of client certificates that the API server accepts: five, the first certificate of each bundle.",
        "kube-apiserver, --client-ca-file; every kubelet, as /etc/kubernetes/kubelet-ca.crt",
        "all client certificates are refused with 401",
        "kubelet.go",
    ),
    _of(
        "etcd-ca-bundle",
        ("etcd-signer",),
        "The signer that etcd and its clients trust.",
        "etcd, --trusted-ca-file; kube-apiserver, --etcd-cafile; ConfigMap openshift-etcd/etcd-ca-bundle",
        "neither members nor the API server can talk to etcd",
        ETCD_RENDER,
    ),
    _of(
        "etcd-metrics-ca-bundle",
        ("etcd-metric-signer",),
        "The signer of clients that may read etcd's metrics.",
        "ConfigMap openshift-etcd/etcd-metrics-ca-bundle, and there the etcd operator's metrics proxies",
        "no lasting effect: the etcd operator makes the bundle from the metric signer",
        ETCD_RENDER,
    ),
)
