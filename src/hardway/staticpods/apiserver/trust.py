"""The API server's flags: its faces, whom it believes, and who it is to others."""

from __future__ import annotations

from hardway.lines.sources import kubernetes
from hardway.model.cluster import Cluster, Node
from hardway.staticpods.paths import secret
from hardway.staticpods.row import CIS, Flag, by_default, flag
from hardway.staticpods.tls import SERVING

ISSUER = "https://kubernetes.default.svc"
PROXY_NAMES = ("kube-apiserver-proxy", "system:kube-apiserver-proxy", "system:openshift-aggregator")


def _face(pair: str, *names: str) -> str:
    name = f"kube-apiserver-{pair}-server"
    return f"{secret(f'{name}.crt')},{secret(f'{name}.key')}:{','.join(names)}"


def faces(cluster: Cluster, node: Node) -> tuple[str, ...]:
    return (
        _face("localhost", "localhost", "localhost-recovery", "127.0.0.1", "::1"),
        _face("lb", cluster.api_host),
        _face("internal-lb", cluster.api_int_host),
    )


_FACES: tuple[Flag, ...] = (
    flag(
        "--tls-cert-file",
        secret("kube-apiserver-service-network-server.crt"),
        "The face for all that ask for no name. A pod asks for the kubernetes Service by bare address, and its "
        "connection ends at the node's address: only the default face can answer both, so no node address is mapped to "
        "another one.",
        breaks="operators in pods: x509: certificate is not valid for the Service's address (F07)",
        source=CIS + "1.2.24; " + kubernetes("apiserver dynamiccertificates"),
    ),
    flag(
        "--tls-private-key-file",
        secret("kube-apiserver-service-network-server.key"),
        "The key of that.",
        breaks="it exits: missing filename for serving cert",
        source=CIS + "1.2.24",
    ),
    flag(
        "--tls-sni-cert-key",
        faces,
        "The other three faces, by the name that a client asks for: localhost, api, api-int. Names are written out, so "
        "none depends on what else a certificate says; an address among them counts when a client asks for no name and "
        "came in over it. If two named the same, the first would win.",
        breaks="bootkube.sh, kubelets and administrators get a face that does not fit the name (F07)",
    ),
    *SERVING,
)

_CLIENTS: tuple[Flag, ...] = (
    flag(
        "--client-ca-file",
        secret("kube-apiserver-complete-client-ca-bundle.crt"),
        "Whose client certificates mean something: five signers.",
        breaks="kubelets, controller-manager, scheduler and administrators get 401",
        source=CIS + "1.2.25",
    ),
    flag(
        "--anonymous-auth",
        "true",
        "The kubelet's probes and the load balancer's checks carry no identity; the built-in roles let them see health "
        "and version, nothing else.",
        breaks=by_default("Switched off, its own probes fail with 401 and the kubelet restarts it for ever (F25)"),
    ),
    flag(
        "--authorization-mode",
        "Node,RBAC",
        "Kubelets are held to the objects of their own pods, everyone else to roles. OpenShift's Scope and "
        "SystemMasters are left out: no OAuth token exists yet, and system:masters is let through without the latter.",
        breaks="everything is allowed, or kubelets cannot read their pods' Secrets",
        source=CIS + "1.2.6, 1.2.7, 1.2.8",
    ),
)

_TOKENS: tuple[Flag, ...] = (
    flag(
        "--service-account-issuer",
        ISSUER,
        "Who a token says it is from; the masters' API servers say the same.",
        breaks="every token made during bootstrap is refused after the pivot",
    ),
    flag(
        "--api-audiences",
        ISSUER,
        "For whom a token must be.",
        breaks="tokens without an audience of their own are refused",
    ),
    flag(
        "--service-account-signing-key-file",
        secret("bound-service-account-signing-key.key"),
        "Signs the tokens that are mounted into pods.",
        breaks="pods get no token, and no operator starts",
    ),
    flag(
        "--service-account-key-file",
        lambda c, n: (secret("service-account.pub"), secret("bound-service-account-signing-key.pub")),
        "Verifies tokens: the old kind that the controller-manager signs, and those signed here.",
        breaks="tokens of that kind are refused with 401",
        source=CIS + "1.2.22",
    ),
    flag(
        "--service-account-lookup",
        "true",
        "A token whose account is deleted is worth nothing.",
        breaks=by_default("Switched off, stolen tokens outlive their account"),
        source=CIS + "1.2.21",
    ),
    flag(
        "--service-account-extend-token-expiration",
        "false",
        "A mounted token lasts the hour it was asked for.",
        breaks="the built-in stretches them to a year, for clients that never read them again",
        source=CIS + "1.2.30",
    ),
)

_KUBELETS: tuple[Flag, ...] = (
    flag(
        "--kubelet-certificate-authority",
        secret("kubelet-client-ca-bundle.crt"),
        "Whose kubelets it believes: the signer that answers their serving requests.",
        breaks="logs and exec fail: x509: certificate signed by unknown authority (F28)",
        source=CIS + "1.2.5",
    ),
    flag(
        "--kubelet-client-certificate",
        secret("kube-apiserver-to-kubelet-client.crt"),
        "Who it is to kubelets.",
        breaks="logs and exec fail: Unauthorized",
        source=CIS + "1.2.4",
    ),
    flag(
        "--kubelet-client-key",
        secret("kube-apiserver-to-kubelet-client.key"),
        "The key of that.",
        breaks="logs and exec fail",
        source=CIS + "1.2.4",
    ),
    flag(
        "--kubelet-preferred-address-types",
        "InternalIP",
        "Kubelets are called by address: the bootstrap node may know no names.",
        breaks="logs fail: lookup of the node's host name, no such host",
    ),
)

_FRONT_PROXY: tuple[Flag, ...] = (
    flag(
        "--proxy-client-cert-file",
        secret("aggregator-client.crt"),
        "Who it is when it speaks for a user to an extension API server. The rendered pod presents a certificate that "
        "its own request-header CA did not sign; this one was signed by it.",
        breaks="aggregated APIs answer 401 (F10)",
    ),
    flag(
        "--proxy-client-key-file",
        secret("aggregator-client.key"),
        "The key of that.",
        breaks="no aggregated API works (F10)",
    ),
    flag(
        "--requestheader-client-ca-file",
        secret("aggregator-ca-bundle.crt"),
        "Who may say whom a request is from.",
        readers="kube-apiserver; extension API servers, by ConfigMap extension-apiserver-authentication",
        breaks="extension API servers take the API server for a stranger (F10)",
    ),
    flag(
        "--requestheader-allowed-names",
        ",".join(PROXY_NAMES),
        "And of those only these names.",
        breaks="with no list, anything that CA ever signs may be anybody; with another, aggregation stops (F10)",
    ),
    flag(
        "--requestheader-username-headers",
        "X-Remote-User",
        "Where the name stands.",
        breaks="the user is lost on the way",
    ),
    flag(
        "--requestheader-group-headers",
        "X-Remote-Group",
        "Where the groups stand.",
        breaks="the groups are lost on the way",
    ),
    flag(
        "--requestheader-extra-headers-prefix",
        "X-Remote-Extra-",
        "Where everything else about the user stands.",
        breaks="scopes and the like are lost on the way",
    ),
)

TRUST: tuple[Flag, ...] = (*_FACES, *_CLIENTS, *_TOKENS, *_KUBELETS, *_FRONT_PROXY)
