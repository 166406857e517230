"""The way out of the network: the Proxy, and the certificates that are trusted on that way."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Any

from hardway.emit.document import NAMESPACED, UNSET_TIME, Document
from hardway.graph.asset import Given
from hardway.manifests.shapes import CONFIG, MANIFESTS, OWNER, base64, config, config_map, metadata
from hardway.model.cluster import Cluster
from hardway.model.why import because

USER_BUNDLE = "user-ca-bundle"
EVERYTHING = "*"
_BLOCK = re.compile(r"-----BEGIN ([^-\n]+)-----\s(.*?)-----END \1-----", re.DOTALL)


def no_proxy(cluster: Cluster) -> str:
    """What is reached without the proxy: the cluster's own addresses and names, and what the user adds."""
    assert cluster.proxy is not None
    if cluster.proxy.no_proxy == EVERYTHING:
        return EVERYTHING
    own = {"127.0.0.1", "localhost", ".svc", ".cluster.local", cluster.api_int_host}
    networks = {str(n) for n in (*cluster.service_networks, *cluster.machine_networks)}
    pods = {str(n.cidr) for n in cluster.cluster_networks}
    return ",".join(sorted(own | networks | pods | {entry for entry in cluster.proxy.no_proxy.split(",") if entry}))


def _settings(http: str, https: str, exceptions: str) -> dict[str, str]:
    said = {"httpProxy": http, "httpsProxy": https, "noProxy": exceptions}
    return {key: value for key, value in said.items() if value}


def _proxy(given: Given) -> dict[str, Any]:
    cluster, proxy = given.cluster, given.cluster.proxy
    trusted = cluster.trust_bundle and (proxy or cluster.trust_bundle_policy == "Always")
    spec: dict[str, Any] = _settings(proxy.http, proxy.https, proxy.no_proxy) if proxy else {}
    spec["trustedCA"] = {"name": USER_BUNDLE if trusted else ""}
    return config("Proxy", spec, _settings(proxy.http, proxy.https, no_proxy(cluster)) if proxy else {})


def bundle(text: str) -> str:
    """The certificates of a trust bundle, each written out anew as PEM and nothing between them."""
    return "".join(_pem(label, base64(b64decode(body))) for label, body in _BLOCK.findall(text))


def _pem(label: str, body: str) -> str:
    lines = [body[start : start + 64] for start in range(0, len(body), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----\n"])


def _user_bundle(given: Given) -> dict[str, Any]:
    about = metadata(USER_BUNDLE, "openshift-config", annotations={OWNER: "End User"})
    return config_map(about | {"creationTimestamp": None}, {"ca-bundle.crt": bundle(given.cluster.trust_bundle)})


PROXY_REASONS = {
    "spec.httpProxy": because(
        "The proxy for http:// requests, from install-config; credentials in it are kept in the clear."
    ),
    "spec.httpsProxy": because("The proxy for https:// requests, from install-config."),
    "spec.noProxy": because("What the user wants to reach directly; the cluster's own part is added in status."),
    "spec.trustedCA.name": because(
        "The ConfigMap with extra certificates to trust everywhere: named if there is a trust bundle and either a "
        "proxy or the policy Always."
    ),
    "status": because("Empty without a proxy: then nothing is to be injected anywhere."),
    "status.httpProxy": because("What operators and nodes really use: the same as in spec once it is accepted."),
    "status.httpsProxy": because("What operators and nodes really use."),
    "status.noProxy": because(
        "The user's exceptions and the cluster's own: its three networks, localhost, service names and api-int.",
        breaks="nodes send their API requests through the proxy and never come up (F13)",
    ),
}


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return tuple(d for d in (_PROXY, _USER_BUNDLE) if d.when(cluster))


_PROXY = Document(
    path="manifests/cluster-proxy-01-config.yaml",
    body=_proxy,
    common=CONFIG,
    reasons=PROXY_REASONS,
    why=because(
        "How the cluster reaches the internet, if not directly.",
        readers="every operator with connections outside the cluster; the machine-config operator, for nodes",
        breaks="operators that look for it wait, and behind a proxy no image can be pulled",
        source=MANIFESTS + "proxy.go",
    ),
)

_USER_BUNDLE = Document(
    path="manifests/user-ca-bundle-config.yaml",
    body=_user_bundle,
    common=(*NAMESPACED, *UNSET_TIME),
    when=lambda cluster: bool(cluster.trust_bundle),
    reasons={
        f'metadata.annotations["{OWNER}"]': because(
            "The owner of this data: the user, so that no operator rewrites it."
        ),
        'data["ca-bundle.crt"]': because("The certificates of additionalTrustBundle, one PEM block behind the other."),
    },
    why=because(
        "Certificates that this site trusts in addition, for instance those of a mirror or of an inspecting proxy.",
        readers="the network operator, which merges it into trusted-ca-bundle, if the Proxy names it",
        breaks="pulls and requests end in: x509: certificate signed by unknown authority (F12)",
        source=MANIFESTS + "additionaltrustbundleconfig.go",
    ),
)
