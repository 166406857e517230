"""The API server speaking for a user to an extension API server."""

from __future__ import annotations

from hardway.model.why import because
from hardway.pki.row import INSTALLER_TLS, Cert, PrivateKey
from hardway.pki.spec import Spec

FRONT_PROXY: tuple[Cert, ...] = (
    Cert(
        name="aggregator-ca",
        family="front-proxy",
        says=Spec(common_name="aggregator", unit="bootkube"),
        lifetime="short",
        why=because(
            "The older front-proxy signer. It signs apiserver-proxy and nothing else.",
            readers="nobody: no program reads its file, and ours use aggregator-signer for both ends",
            breaks="apiserver-proxy has no signer",
            source=INSTALLER_TLS + "aggregator.go",
        ),
        key=PrivateKey(
            readers="hardway alone, when it signs cert/apiserver-proxy; no node and no Secret has it",
            allows="issue front-proxy certificates, which no server of this cluster trusts",
        ),
    ),
    Cert(
        name="apiserver-proxy",
        family="front-proxy",
        says=Spec(common_name="system:kube-apiserver-proxy", organizations=("kube-master",), usages=("client",)),
        signer="aggregator-ca",
        lifetime="short",
        why=because(
            "The front-proxy client certificate that the rendered bootstrap API server uses; it does not chain to "
            "the CA that the server announces to extension servers, so ours uses aggregator-client instead.",
            readers="a kube-apiserver rendered by its operator",
            breaks="the rendered bootstrap API server does not start: the file named in its configuration is missing",
            source=INSTALLER_TLS + "aggregator.go",
        ),
        key=PrivateKey(
            readers="a kube-apiserver that its operator rendered, as its front-proxy key",
            allows="present a front-proxy certificate, which no server of this cluster trusts",
        ),
    ),
    Cert(
        name="aggregator-signer",
        family="front-proxy",
        says=Spec(common_name="aggregator-signer", unit="openshift"),
        lifetime="short",
        why=because(
            "Signs the client certificate that the API server uses to act for users at extension API servers.",
            readers="extension API servers, by ConfigMap extension-apiserver-authentication; the operator",
            breaks="aggregated APIs answer 401 and their APIServices stay unavailable (F10)",
            source=INSTALLER_TLS + "aggregator.go",
        ),
        key=PrivateKey(
            readers="hardway, when it signs cert/aggregator-client; the kube-apiserver operator, from Secret "
            "aggregator-client-signer",
            allows="act as any user at every extension API server: these trust the user name that a front proxy sends",
        ),
    ),
    Cert(
        name="aggregator-client",
        family="front-proxy",
        says=Spec(common_name="system:kube-apiserver-proxy", organizations=("kube-master",), usages=("client",)),
        signer="aggregator-signer",
        lifetime="short",
        why=because(
            "The API server's identity to extension API servers; its name is one of the three allowed ones.",
            readers="kube-apiserver, --proxy-client-cert-file",
            breaks="extension API servers do not accept the API server (F10)",
            source=INSTALLER_TLS + "aggregator.go",
        ),
        key=PrivateKey(
            readers="kube-apiserver, --proxy-client-key-file",
            allows="act as any user at every extension API server: these trust the user name that a front proxy sends",
        ),
    ),
)
