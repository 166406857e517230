"""The control plane's clients, and the kubelets."""

from __future__ import annotations

from hardway.lines.sources import kubernetes
from hardway.model.why import because
from hardway.pki.row import INSTALLER_TLS, Cert, PrivateKey
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
        key=PrivateKey(
            readers="hardway, when it signs the clients of controller-manager, scheduler and kube-proxy; the "
            "kube-apiserver operator, from Secret kube-control-plane-signer",
            allows="issue client certificates of any user and group, system:masters included",
        ),
    ),
    Cert(
        name="kube-control-plane-kube-controller-manager-client",
        family="kubernetes",
        says=Spec(common_name="system:kube-controller-manager", usages=("client",)),
        signer="kube-control-plane-signer",
        lifetime="1y",
        why=because(
            "The controller-manager's identity to the API server, whose built-in roles give that user exactly what it "
            "needs.",
            readers="kube-controller-manager, through its kubeconfig",
            breaks="no controller runs: no endpoints, no service-account tokens, no signed CSRs",
            source=INSTALLER_TLS + "kubecontrolplane.go",
        ),
        key=PrivateKey(
            readers="kube-controller-manager, from its kubeconfig",
            allows="read every Secret, and create a token of any service account",
        ),
    ),
    Cert(
        name="kube-control-plane-kube-scheduler-client",
        family="kubernetes",
        says=Spec(common_name="system:kube-scheduler", usages=("client",)),
        signer="kube-control-plane-signer",
        lifetime="1y",
        why=because(
            "The scheduler's identity to the API server, which has a built-in role for that user.",
            readers="kube-scheduler, through its kubeconfig",
            breaks="every pod that is not static stays Pending",
            source=INSTALLER_TLS + "kubecontrolplane.go",
        ),
        key=PrivateKey(
            readers="kube-scheduler, from its kubeconfig",
            allows="read all pods, and choose the nodes that new ones run on",
        ),
    ),
    Cert(
        name="kube-control-plane-kube-proxy-client",
        family="kubernetes",
        says=Spec(common_name="system:kube-proxy", usages=("client",)),
        when=lambda cluster: cluster.kube_proxy,
        signer="kube-control-plane-signer",
        lifetime="1y",
        why=because(
            "kube-proxy's identity to the API server: the built-in binding system:node-proxier lets that user watch "
            "Services and endpoints, so it needs neither the bootstrap identity nor a binding of ours. Only where "
            "masters run kube-proxy; nothing renews it, so `hardway status` shows its end.",
            readers="kube-proxy on masters, through its kubeconfig",
            breaks="ClusterIPs do not work until OVN is up: dial tcp 172.30.0.1:443: i/o timeout (F32)",
            source=kubernetes("bootstrap policy, ClusterRole system:node-proxier"),
        ),
        key=PrivateKey(
            readers="kube-proxy on masters, from its kubeconfig", allows="read all Services, endpoints and nodes"
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
        key=PrivateKey(
            readers="kube-controller-manager, --cluster-signing-key-file; its operator, from Secret csr-signer-signer",
            allows="issue client certificates of any user and group, system:masters included, and serving "
            "certificates of any kubelet",
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
        key=PrivateKey(
            readers="hardway alone, when it signs cert/kubelet-client; no node and no Secret has it",
            allows="issue client certificates of any user and group, system:masters included, for ten years",
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
            "The identity with which every new node requests its first certificate: the node-bootstrapper service "
            "account with both its groups, which may do nothing else. It is in every node's Ignition file, so it lives "
            "only a day (24h; `joining` in hardway.yaml), and machines must boot for the first time before it expires. "
            "After that the API server refuses a new node with 401, and no request appears; nodes that have joined do "
            "not need it. `hardway build` renews it when it has expired, and the Ignition files with it; install the "
            "machines that have not joined with the new files. Its name has 73 characters, more than X.509's limit of "
            "64, because RBAC compares it in full.",
            readers="every kubelet's first start, through /etc/kubernetes/kubeconfig",
            breaks="no node can join: cannot create resource certificatesigningrequests (F29)",
            source=INSTALLER_TLS + "kubelet.go",
        ),
        key=PrivateKey(
            readers="every kubelet at its first start, from /etc/kubernetes/kubeconfig; it is in the Ignition file of "
            "every master and worker",
            allows="request a node's certificate until cert/kubelet-client expires; the rules for requests "
            "(csr/rule/) decide on it",
        ),
    ),
)
