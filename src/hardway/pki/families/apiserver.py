"""The API server's faces, and who it is towards kubelets."""

from __future__ import annotations

from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.pki.row import INSTALLER_TLS, Cert, PrivateKey
from hardway.pki.spec import Spec

_KUBERNETES_NAMES = tuple(
    f"{service}{suffix}"
    for service in ("kubernetes", "openshift")
    for suffix in ("", ".default", ".default.svc", ".default.svc.cluster.local")
)


def _control_plane_addresses(cluster: Cluster) -> tuple[str, ...]:
    return tuple(a for node in cluster.control_plane for a in node.addresses)


def _default_face(cluster: Cluster, node: Node | None) -> tuple[str, ...]:
    own = (cluster.kubernetes_service_address, *cluster.api_vips, *_control_plane_addresses(cluster))
    return (*_KUBERNETES_NAMES, *own)


APISERVER: tuple[Cert, ...] = (
    Cert(
        name="kube-apiserver-to-kubelet-signer",
        family="kubernetes",
        says=Spec(common_name="kube-apiserver-to-kubelet-signer", unit="openshift"),
        lifetime="1y",
        why=because(
            "Signs the client certificate with which the API server calls kubelets.",
            readers="every kubelet, inside /etc/kubernetes/kubelet-ca.crt; the kube-apiserver operator",
            breaks="logs, exec and port-forward fail: the kubelet answers Unauthorized",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="hardway, when it signs cert/kube-apiserver-to-kubelet-client; the kube-apiserver operator, from "
            "Secret kube-apiserver-to-kubelet-signer",
            allows="call every kubelet as the API server: run commands in all pods, and read their logs",
        ),
    ),
    Cert(
        name="kube-apiserver-to-kubelet-client",
        family="kubernetes",
        says=Spec(common_name="system:kube-apiserver", organizations=("kube-master",), usages=("client",)),
        signer="kube-apiserver-to-kubelet-signer",
        lifetime="1y",
        why=because(
            "The API server's identity when it calls a kubelet.",
            readers="kube-apiserver, --kubelet-client-certificate",
            breaks="logs, exec and port-forward fail for every pod",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="kube-apiserver, --kubelet-client-key",
            allows="call every kubelet as the API server: run commands in all pods, and read their logs",
        ),
    ),
    Cert(
        name="kube-apiserver-localhost-signer",
        family="kubernetes",
        says=Spec(common_name="kube-apiserver-localhost-signer", unit="openshift"),
        why=because(
            "Signs the API server's serving certificate for localhost; handed to the operator, which signs the next "
            "one with it.",
            readers="kubeconfigs that point at localhost; Secret localhost-serving-signer",
            breaks="everything on a control-plane node that talks to its own API server stops trusting it",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="hardway, when it signs cert/kube-apiserver-localhost-server; the kube-apiserver operator, from "
            "Secret localhost-serving-signer",
            allows="pose as the API server, under any name, to every client that trusts this signer",
        ),
    ),
    Cert(
        name="kube-apiserver-localhost-server",
        family="kubernetes",
        says=Spec(common_name="system:kube-apiserver", organizations=("kube-master",), usages=("server",), chain=True),
        signer="kube-apiserver-localhost-signer",
        lifetime="short",
        sans=lambda c, node: ("localhost", "localhost-recovery", "127.0.0.1", "::1"),
        why=because(
            "The API server's serving certificate for clients on localhost, the recovery kubeconfig's name included.",
            readers="kube-apiserver, by SNI; bootkube.sh, controller-manager, scheduler and CVO on the bootstrap node",
            breaks="bootkube.sh: certificate is valid for other names, not localhost (F07)",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="kube-apiserver, --tls-sni-cert-key", allows="pose as the API server to clients on the same node"
        ),
    ),
    Cert(
        name="kube-apiserver-service-network-signer",
        family="kubernetes",
        says=Spec(common_name="kube-apiserver-service-network-signer", unit="openshift"),
        why=because(
            "Signs the API server's serving certificate for the service network.",
            readers="every pod, in its service-account CA; Secret service-network-serving-signer",
            breaks="pods that use the kubernetes Service refuse the API server after the pivot",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="hardway, when it signs cert/kube-apiserver-service-network-server; the kube-apiserver operator, "
            "from Secret service-network-serving-signer",
            allows="pose as the API server to every pod, and collect the tokens that pods send",
        ),
    ),
    Cert(
        name="kube-apiserver-service-network-server",
        family="kubernetes",
        says=Spec(common_name="system:kube-apiserver", organizations=("kube-master",), usages=("server",), chain=True),
        signer="kube-apiserver-service-network-signer",
        lifetime="short",
        sans=_default_face,
        why=because(
            "The API server's default serving certificate, for clients that send no name: pods at the kubernetes "
            "Service's address, and clients at a node's address or the VIP, since the load balancer passes TCP "
            "through. The server cannot distinguish them, so this certificate has all these addresses.",
            readers="kube-apiserver, --tls-cert-file",
            breaks="operators in pods: x509: certificate is not valid for the service's ClusterIP (F07)",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="kube-apiserver, --tls-private-key-file",
            allows="pose as the kubernetes Service to pods, and collect the tokens that they send",
        ),
    ),
    Cert(
        name="kube-apiserver-lb-signer",
        family="kubernetes",
        says=Spec(common_name="kube-apiserver-lb-signer", unit="openshift"),
        why=because(
            "Signs the API server's two serving certificates behind the load balancer, api and api-int.",
            readers="every kubeconfig that is used on another machine; Secret loadbalancer-serving-signer",
            breaks="kubelets and administrators refuse the API server: signed by unknown authority",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="hardway, when it signs cert/kube-apiserver-lb-server and cert/kube-apiserver-internal-lb-server; "
            "the kube-apiserver operator, from Secret loadbalancer-serving-signer",
            allows="pose as api and api-int to users, kubelets and components, and collect their tokens",
        ),
    ),
    Cert(
        name="kube-apiserver-lb-server",
        family="kubernetes",
        says=Spec(common_name="system:kube-apiserver", organizations=("kube-master",), usages=("server",), chain=True),
        signer="kube-apiserver-lb-signer",
        lifetime="short",
        sans=lambda c, node: (c.api_host,),
        why=because(
            "The API server's serving certificate for clients outside, as api.",
            readers="kube-apiserver, by SNI; kubectl and oc outside the cluster",
            breaks="the administrator's kubeconfig: certificate is valid for other names, not api (F07)",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="kube-apiserver, --tls-sni-cert-key", allows="pose as api to users, and collect their tokens"
        ),
    ),
    Cert(
        name="kube-apiserver-internal-lb-server",
        family="kubernetes",
        says=Spec(common_name="system:kube-apiserver", organizations=("kube-master",), usages=("server",), chain=True),
        signer="kube-apiserver-lb-signer",
        lifetime="short",
        sans=lambda c, node: (c.api_int_host,),
        why=because(
            "The API server's serving certificate for nodes, as api-int.",
            readers="kube-apiserver, by SNI; kubelets, kube-proxy, bootkube.sh's last checks",
            breaks="kubelets on masters cannot reach api-int: certificate is valid for other names (F07)",
            source=INSTALLER_TLS + "apiserver.go",
        ),
        key=PrivateKey(
            readers="kube-apiserver, --tls-sni-cert-key",
            allows="pose as api-int to kubelets and components, and answer them with forged objects",
        ),
    ),
)
