"""The controller-manager's flags."""

from __future__ import annotations

from hardway.lines.sources import kubernetes
from hardway.model.cluster import Cluster, Node
from hardway.staticpods.gates import gates_flag
from hardway.staticpods.parts import LOOPBACK
from hardway.staticpods.paths import CERT_DIR, secret
from hardway.staticpods.row import CIS, Flag, by_default, flag
from hardway.staticpods.tls import SERVING

KUBECONFIG_FILE = "controller-manager.kubeconfig"
FILES = (
    KUBECONFIG_FILE,
    "kubelet-signer.crt",
    "kubelet-signer.key",
    "service-account.key",
    "kube-apiserver-complete-server-ca-bundle.crt",
)
"""All that it reads from the folder of secrets."""


def pod_networks(cluster: Cluster, node: Node) -> str:
    return ",".join(str(network.cidr) for network in cluster.cluster_networks)


def service_networks(cluster: Cluster, node: Node) -> str:
    return ",".join(str(network) for network in cluster.service_networks)


_CLIENT: tuple[Flag, ...] = (
    flag(
        "--kubeconfig",
        secret(KUBECONFIG_FILE),
        "The connection to the API server on the same node, as system:kube-controller-manager; the rendered pod runs "
        "as system:admin. The policy controller has the administrator's on the bootstrap node: at its first start it "
        "creates the namespace of its controllers' accounts, before any role but the built-in ones exists.",
        breaks="no controller runs at all; the policy controller exits, and its lease lets no other start for 137 s",
        source=kubernetes("bootstrap policy, ClusterRole system:kube-controller-manager"),
    ),
    flag(
        "--authentication-kubeconfig",
        secret(KUBECONFIG_FILE),
        "Lets it authenticate callers of its own port at the API server.",
        breaks="its metrics are closed to everybody, with a warning at each start",
    ),
    flag(
        "--authorization-kubeconfig",
        secret(KUBECONFIG_FILE),
        "Lets it authorize callers of its own port at the API server.",
        breaks="its metrics are closed to everybody, with a warning at each start",
    ),
    flag(
        "--kube-api-qps",
        "150",
        "Requests per second that all its controllers share.",
        breaks="at the default of 20 the objects that CVO creates take minutes to process",
    ),
    flag("--kube-api-burst", "300", "How far a short burst may exceed that.", breaks="short bursts are delayed"),
    flag(
        "--use-service-account-credentials",
        "true",
        "Each controller acts as a service account of its own, with its own small role.",
        breaks="all controllers share one identity, and a flaw in one has the rights of all",
        source=CIS + "1.3.3",
    ),
)

_LEADER: tuple[Flag, ...] = (
    flag(
        "--leader-elect",
        "true",
        "Only one controller-manager is active: this one still runs while the masters' start.",
        breaks=by_default("Switched off, two of them create everything twice"),
    ),
    flag(
        "--leader-elect-resource-lock",
        "leases",
        "The lock is a Lease.",
        breaks=by_default(
            "With another kind, it and the masters' controller-managers would not see each other's lease"
        ),
    ),
    flag(
        "--leader-elect-renew-deadline",
        "12s",
        "How long it tries to renew before it gives up and exits.",
        breaks="at the default of 10 s a short pause of etcd stops it (F37)",
    ),
    flag("--leader-elect-retry-period", "3s", "How often it tries.", breaks="more writes to etcd without a benefit"),
)

_SIGNING: tuple[Flag, ...] = (
    flag(
        "--cluster-signing-cert-file",
        secret("kubelet-signer.crt"),
        "The CA that signs certificate requests: the one that the API server trusts for kubelets' client and serving "
        "certificates, and that the operators take over as csr-signer-signer.",
        breaks="CSRs are approved and never issued, or what is issued is refused (F29)",
    ),
    flag(
        "--cluster-signing-key-file",
        secret("kubelet-signer.key"),
        "The key of that CA.",
        breaks="CSRs are approved and never issued (F29)",
    ),
    flag(
        "--cluster-signing-duration",
        "720h",
        "The longest lifetime of an issued certificate; the CA's own expiry comes sooner and limits it.",
        breaks="the default is a year: kubelets would keep certificates long after their signer is gone",
    ),
    flag(
        "--root-ca-file",
        secret("kube-apiserver-complete-server-ca-bundle.crt"),
        "The ca.crt of every pod: the signers of all serving certificates of the API server.",
        readers="the root CA publisher, ConfigMap kube-root-ca.crt in every namespace",
        breaks="pods refuse the API server: signed by unknown authority",
        source=CIS + "1.3.5",
    ),
    flag(
        "--service-account-private-key-file",
        secret("service-account.key"),
        "Signs the old kind of token, the one kept in a Secret; its public half is one of the API server's two.",
        breaks="token Secrets stay empty",
        source=CIS + "1.3.4",
    ),
)

_WORK: tuple[Flag, ...] = (
    flag(
        "--controllers",
        "*,-ttl,-bootstrapsigner,-tokencleaner",
        "All that are on by default, but ttl, which writes cache hints onto nodes that OpenShift's kubelets do not "
        "use. The two for kubeadm's bootstrap tokens are off by default; they are named as the operator names them.",
        breaks="needless writes by ttl; the other two stay off",
    ),
    flag(
        "--allocate-node-cidrs",
        "false",
        "OVN-Kubernetes assigns the nodes' subnets of the pod network.",
        breaks=by_default("Switched on, two allocators assign different subnets"),
    ),
    flag(
        "--cluster-cidr",
        pod_networks,
        "The pod networks, one per slice and family.",
        breaks="no effect while it does not allocate; if allocation is switched on, there are no networks",
    ),
    flag(
        "--service-cluster-ip-range",
        service_networks,
        "The service networks, one per family, so that no piece of the pod network can overlap them.",
        breaks="no effect while it does not allocate; if allocation is switched on, it could assign service addresses",
    ),
    flag(
        "--cloud-provider",
        "external",
        "No cloud's code runs in this process; platform none has no cloud at all.",
        breaks="no effect on platform none; the operator passes it too",
    ),
    flag(
        "--enable-dynamic-provisioning",
        "true",
        "Volumes are provisioned for claims.",
        breaks=by_default("Switched off, claims wait for volumes made by hand"),
    ),
    flag(
        "--flex-volume-plugin-dir",
        "/etc/kubernetes/kubelet-plugins/volume/exec",
        "Where FlexVolume drivers are on RHCOS, whose /usr cannot be written.",
        breaks="it looks below /usr/libexec, where nothing can be put",
    ),
    gates_flag("the controller-manager"),
)

_SERVING: tuple[Flag, ...] = (
    flag(
        "--bind-address",
        LOOPBACK,
        "Its own port is for this machine only.",
        breaks="health and metrics are offered to the whole network",
        source=CIS + "1.3.7",
    ),
    flag(
        "--secure-port",
        "10257",
        "The port for health and metrics.",
        breaks=by_default("On another port the kubelet's probes find nothing"),
    ),
    flag(
        "--cert-dir",
        CERT_DIR,
        "The folder for the self-signed certificate that it makes at each start.",
        breaks="no effect on disk: it would keep the certificate in memory",
    ),
    *SERVING,
    flag(
        "--profiling",
        "false",
        "Profiling over the network is off.",
        breaks="anyone who may read its metrics can read memory and timing of the process",
        source=CIS + "1.3.2",
    ),
    flag("--v", "2", "Log verbosity.", breaks="at 0 the log does not name the controllers that failed"),
)

FLAGS: tuple[Flag, ...] = (*_CLIENT, *_LEADER, *_SIGNING, *_WORK, *_SERVING)
