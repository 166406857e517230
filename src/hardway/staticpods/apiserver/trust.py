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


def token_keys(cluster: Cluster, node: Node) -> tuple[str, ...]:
    return secret("service-account.pub"), secret("bound-service-account-signing-key.pub")


_FACES: tuple[Flag, ...] = (
    flag(
        "--tls-cert-file",
        secret("kube-apiserver-service-network-server.crt"),
        "The default serving certificate, for clients that send no name. A pod reaches the kubernetes Service by "
        "address, and its connection ends at the node's address: only the default certificate can answer both, so no "
        "node address is mapped to another one.",
        breaks="operators in pods: x509: certificate is not valid for the Service's address (F07)",
        source=CIS + "1.2.24; " + kubernetes("apiserver dynamiccertificates"),
    ),
    flag(
        "--tls-private-key-file",
        secret("kube-apiserver-service-network-server.key"),
        "The key of that certificate.",
        breaks="it exits: missing filename for serving cert",
        source=CIS + "1.2.24",
    ),
    flag(
        "--tls-sni-cert-key",
        faces,
        "The other three serving certificates, by the name that a client sends: localhost, api, api-int. Names are "
        "written out, so none depends on the certificate's content; an address among them counts for clients that "
        "send no name and connect to it. If two had the same name, the first would win.",
        breaks="bootkube.sh, kubelets and administrators get a certificate that does not match the name (F07)",
    ),
    *SERVING,
)

_CLIENTS: tuple[Flag, ...] = (
    flag(
        "--client-ca-file",
        secret("kube-apiserver-complete-client-ca-bundle.crt"),
        "The signers of client certificates that are accepted: five.",
        breaks="kubelets, controller-manager, scheduler and administrators get 401",
        source=CIS + "1.2.25",
    ),
    flag(
        "--anonymous-auth",
        "true",
        "The kubelet's probes and the load balancer's checks have no identity; the built-in roles let them read "
        "health and version, nothing else.",
        breaks=by_default("Switched off, its own probes fail with 401 and the kubelet restarts it without end (F25)"),
    ),
    flag(
        "--authorization-mode",
        "Scope,SystemMasters,RBAC,Node",
        "An OAuth token is limited to its scopes, system:masters may do everything, every other client is limited by "
        "roles, and kubelets may read only the objects of their own pods. With --openshift-config, system:masters has "
        "no rights without the mode of that name, and OpenShift's build asks RBAC before Node.",
        breaks="everything is allowed, or administrators nothing, or kubelets cannot read their pods' Secrets",
        source=CIS + "1.2.6, 1.2.7, 1.2.8",
    ),
)

_TOKENS: tuple[Flag, ...] = (
    flag(
        "--service-account-issuer",
        ISSUER,
        "The issuer in tokens; the masters' API servers have the same.",
        breaks="every token made during bootstrap is refused after the pivot",
    ),
    flag(
        "--api-audiences",
        ISSUER,
        "The audience that a token must have.",
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
        token_keys,
        "Verifies tokens: the old kind that the controller-manager signs, and those signed here.",
        breaks="tokens of that kind are refused with 401",
        source=CIS + "1.2.22",
    ),
    flag(
        "--service-account-lookup",
        "true",
        "A token whose account is deleted is invalid.",
        breaks=by_default("Switched off, stolen tokens outlive their account"),
        source=CIS + "1.2.21",
    ),
    flag(
        "--service-account-extend-token-expiration",
        "false",
        "A mounted token lasts the hour it was asked for.",
        breaks="the default extends them to a year, for clients that never read them again",
        source=CIS + "1.2.30",
    ),
)

_KUBELETS: tuple[Flag, ...] = (
    flag(
        "--kubelet-certificate-authority",
        secret("kubelet-client-ca-bundle.crt"),
        "The signer of kubelet serving certificates.",
        breaks="logs and exec fail: x509: certificate signed by unknown authority (F28)",
        source=CIS + "1.2.5",
    ),
    flag(
        "--kubelet-client-certificate",
        secret("kube-apiserver-to-kubelet-client.crt"),
        "Client certificate for kubelets.",
        breaks="logs and exec fail: Unauthorized",
        source=CIS + "1.2.4",
    ),
    flag(
        "--kubelet-client-key",
        secret("kube-apiserver-to-kubelet-client.key"),
        "The key of that certificate.",
        breaks="logs and exec fail",
        source=CIS + "1.2.4",
    ),
    flag(
        "--kubelet-preferred-address-types",
        "InternalIP",
        "Kubelets are called by address: the bootstrap node may not resolve their names.",
        breaks="logs fail: lookup of the node's host name, no such host",
    ),
)

_FRONT_PROXY: tuple[Flag, ...] = (
    flag(
        "--proxy-client-cert-file",
        secret("aggregator-client.crt"),
        "Client certificate for extension API servers, when it acts for a user. The rendered pod uses a certificate "
        "that its own request-header CA did not sign; this one was signed by it.",
        breaks="aggregated APIs answer 401 (F10)",
    ),
    flag(
        "--proxy-client-key-file",
        secret("aggregator-client.key"),
        "The key of that certificate.",
        breaks="no aggregated API works (F10)",
    ),
    flag(
        "--requestheader-client-ca-file",
        secret("aggregator-ca-bundle.crt"),
        "The signer of clients that may state a request's user.",
        readers="kube-apiserver; extension API servers, by ConfigMap extension-apiserver-authentication",
        breaks="extension API servers do not accept the API server (F10)",
    ),
    flag(
        "--requestheader-allowed-names",
        ",".join(PROXY_NAMES),
        "The common names that such a client may have.",
        breaks="with no list, any certificate of that CA may claim any user; with another list, aggregation stops "
        "(F10)",
    ),
    flag(
        "--requestheader-username-headers",
        "X-Remote-User",
        "The header with the user's name.",
        breaks="the user is lost on the way",
    ),
    flag(
        "--requestheader-group-headers",
        "X-Remote-Group",
        "The header with the groups.",
        breaks="the groups are lost on the way",
    ),
    flag(
        "--requestheader-extra-headers-prefix",
        "X-Remote-Extra-",
        "The header with everything else about the user.",
        breaks="scopes and the like are lost on the way",
    ),
)

TRUST: tuple[Flag, ...] = (*_FACES, *_CLIENTS, *_TOKENS, *_KUBELETS, *_FRONT_PROXY)
