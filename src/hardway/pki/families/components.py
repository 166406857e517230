"""The control plane's clients, and the kubelets."""

from __future__ import annotations

from hardway.lines.sources import kubernetes
from hardway.model.why import because
from hardway.pki.row import INSTALLER_TLS, Cert
from hardway.pki.spec import Spec

COMPONENTS: tuple[Cert, ...] = (
    Cert(
        name="kube-control-plane-signer",
        family="kubernetes",
        says=Spec(common_name="kube-control-plane-signer", unit="openshift"),
        lifetime="1y",
        why=because(
            "Signs the control plane's own clients.",
            readers="the API server, inside the client CA bundle; Secret kube-control-plane-signer",
            breaks="controller-manager and scheduler are refused with 401 and nothing is reconciled or scheduled",
            source=INSTALLER_TLS + "kubecontrolplane.go",
        ),
    ),
    Cert(
        name="kube-control-plane-kube-controller-manager-client",
        family="kubernetes",
        says=Spec(common_name="system:kube-controller-manager", usages=("client",)),
        signer="kube-control-plane-signer",
        lifetime="1y",
        why=because(
            "The controller-manager as itself: the API server's built-in roles give that user exactly what it needs.",
            readers="kube-controller-manager, through its kubeconfig",
            breaks="no controller runs: no endpoints, no service-account tokens, no signed CSRs",
            source=INSTALLER_TLS + "kubecontrolplane.go",
        ),
    ),
    Cert(
        name="kube-control-plane-kube-scheduler-client",
        family="kubernetes",
        says=Spec(common_name="system:kube-scheduler", usages=("client",)),
        signer="kube-control-plane-signer",
        lifetime="1y",
        why=because(
            "The scheduler as itself, with the built-in role of that user.",
            readers="kube-scheduler, through its kubeconfig",
            breaks="every pod that is not static stays Pending",
            source=INSTALLER_TLS + "kubecontrolplane.go",
        ),
    ),
    Cert(
        name="kube-control-plane-kube-proxy-client",
        family="kubernetes",
        says=Spec(common_name="system:kube-proxy", usages=("client",)),
        signer="kube-control-plane-signer",
        lifetime="1y",
        why=because(
            "kube-proxy as itself: the built-in binding system:node-proxier lets that user watch Services and "
            "endpoints, so it needs neither the bootstrap identity nor a binding of ours.",
            readers="kube-proxy on masters, through its kubeconfig",
            breaks="ClusterIPs do not work until OVN is up: dial tcp 172.30.0.1:443: i/o timeout (F32)",
            source=kubernetes("bootstrap policy, ClusterRole system:node-proxier"),
        ),
    ),
    Cert(
        name="kubelet-signer",
        family="kubernetes",
        says=Spec(common_name="kubelet-signer", unit="openshift"),
        lifetime="short",
        why=because(
            "Signs the client and serving certificates that kubelets request; it limits their lifetime, so nodes "
            "must rotate before it expires.",
            readers="kube-controller-manager, --cluster-signing-cert-file; the API server, as client CA and as kubelet "
            "serving CA; Secret csr-signer-signer",
            breaks="CSRs are approved but never issued, or kubelets' certificates are refused (F29)",
            source=INSTALLER_TLS + "kubelet.go",
        ),
    ),
    Cert(
        name="kubelet-bootstrap-kubeconfig-signer",
        family="kubernetes",
        says=Spec(common_name="kubelet-bootstrap-kubeconfig-signer", unit="openshift"),
        why=because(
            "Signs the one identity that every new kubelet uses to request its own certificate.",
            readers="the API server, inside the client CA bundle; ConfigMap kubelet-bootstrap-kubeconfig",
            breaks="new kubelets are refused with 401 and no CSR ever appears",
            source=INSTALLER_TLS + "kubelet.go",
        ),
    ),
    Cert(
        name="kubelet-client",
        family="kubernetes",
        says=Spec(
            common_name="system:serviceaccount:openshift-machine-config-operator:node-bootstrapper",
            organizations=("system:serviceaccounts:openshift-machine-config-operator", "system:serviceaccounts"),
            usages=("client",),
        ),
        signer="kubelet-bootstrap-kubeconfig-signer",
        lifetime="joining",
        why=because(
            "The node-bootstrapper service account with both its groups: it may only request a certificate. Its name "
            "has 73 characters, over X.509's limit of 64; it is written all the same.",
            readers="every kubelet's first start, through /etc/kubernetes/kubeconfig",
            breaks="no node can join: cannot create resource certificatesigningrequests (F29)",
            source=INSTALLER_TLS + "kubelet.go",
        ),
    ),
)
