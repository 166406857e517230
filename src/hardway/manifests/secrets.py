"""Small documents of the installer that carry something over: keys, passwords, the way the cluster was made."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import NAMESPACED, UNSET_TIME, Document
from hardway.graph.asset import Given
from hardway.manifests.shapes import INSTALLER, OWNER, config_map, metadata, secret
from hardway.model.cluster import Cluster
from hardway.model.why import because

TEMPLATES = INSTALLER + "data/data/manifests/"
OPAQUE = because("A Secret whose content the API does not check.")


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (_CLOUD, _ROOT_CA, _SERVER_TLS, _PULL_SECRET, _KUBEADMIN, _INSTALL)


def _cloud(given: Given) -> dict[str, Any]:
    return secret(metadata("kube-cloud-cfg", "kube-system"), {"config": b""})


def _root_ca(given: Given) -> dict[str, Any]:
    return config_map(metadata("root-ca", "kube-system"), {"ca.crt": given.text("cert/root-ca")})


def _server_tls(given: Given) -> dict[str, Any]:
    about = metadata(
        "machine-config-server-tls",
        "openshift-machine-config-operator",
        annotations={OWNER: "Machine Config Operator"},
    )
    pair = {"tls.crt": given["cert/machine-config-server"], "tls.key": given["key/machine-config-server"]}
    return secret(about, pair)


def _pull_secret(given: Given) -> dict[str, Any]:
    content = {".dockerconfigjson": given.cluster.pull_secret.encode()}
    return secret(metadata("pull-secret", "openshift-config"), content, "kubernetes.io/dockerconfigjson")


def _kubeadmin(given: Given) -> dict[str, Any]:
    body = secret(metadata("kubeadmin", "kube-system"), {"kubeadmin": given["hash/kubeadmin"]})
    return {key: value for key, value in body.items() if key != "type"}


def _install(given: Given) -> dict[str, Any]:
    about = {"creationTimestamp": None, **metadata("openshift-install-manifests", "openshift-config")}
    return config_map(about, {"invoker": "user", "version": f"v{given.cluster.release.version}"})


_CLOUD = Document(
    path="manifests/kube-cloud-config.yaml",
    body=_cloud,
    reasons={"type": OPAQUE, "data.config": because("Empty: there is no cloud to configure.")},
    why=because(
        "The place where a cloud provider's settings would be.",
        readers="nobody on this platform; the name is expected to exist",
        breaks="no effect on platform none",
        source=TEMPLATES + "bootkube/kube-cloud-config.yaml",
    ),
)

_ROOT_CA = Document(
    path="manifests/kube-system-configmap-root-ca.yaml",
    body=_root_ca,
    needs=("cert/root-ca",),
    reasons={'data["ca.crt"]': because("The certificate that signed the machine-config server's.")},
    why=because(
        "The CA that a new machine trusts when it fetches its configuration.",
        readers="the machine-config operator; administrators who add workers by hand",
        breaks="machines added later refuse the machine-config server: signed by unknown authority (F06)",
        source=TEMPLATES + "bootkube/kube-system-configmap-root-ca.yaml.template",
    ),
)

_SERVER_TLS = Document(
    path="manifests/machine-config-server-tls-secret.yaml",
    body=_server_tls,
    needs=("cert/machine-config-server", "key/machine-config-server"),
    reasons={
        f'metadata.annotations["{OWNER}"]': because("The component that owns this certificate."),
        "type": OPAQUE,
        'data["tls.crt"]': because("The certificate for api-int on port 22623."),
        'data["tls.key"]': because("Its key. Anyone who has it can serve any configuration to a machine that boots."),
    },
    why=because(
        "The serving certificate of the machine-config server in the cluster.",
        readers="the machine-config server on every control-plane node",
        breaks="machines that join after the bootstrap node is gone cannot fetch their Ignition (F05)",
        source=TEMPLATES + "bootkube/machine-config-server-tls-secret.yaml.template",
    ),
)

_PULL_SECRET = Document(
    path="manifests/openshift-config-secret-pull-secret.yaml",
    body=_pull_secret,
    reasons={
        "type": because("The type for registry logins; the API checks that the content is one."),
        'data[".dockerconfigjson"]': because("The pull secret of install-config, byte for byte."),
    },
    why=because(
        "The logins for the registries that the release's images come from.",
        readers="the machine-config operator, for every node; operators that pull or report",
        breaks="nodes pull nothing: unauthorized (F11)",
        source=TEMPLATES + "bootkube/openshift-config-secret-pull-secret.yaml.template",
    ),
)

_KUBEADMIN = Document(
    path="openshift/99_kubeadmin-password-secret.yaml",
    body=_kubeadmin,
    needs=("hash/kubeadmin",),
    reasons={
        "data.kubeadmin": because("The bcrypt hash of auth/kubeadmin-password; the password itself is not stored here.")
    },
    why=because(
        "Lets the first administrator log in before there is any identity provider.",
        readers="the OAuth server, which ignores it if it appears over an hour after the kube-system namespace",
        breaks="nobody can log in to the console; the kubeconfig still works",
        source=TEMPLATES + "openshift/99_kubeadmin-password-secret.yaml.template",
    ),
)

_INSTALL = Document(
    path="openshift/openshift-install-manifests.yaml",
    body=_install,
    common=(*NAMESPACED, *UNSET_TIME),
    reasons={
        "data.invoker": because("Who started the installation: a person."),
        "data.version": because("Which release these manifests were made for."),
    },
    why=because(
        "How the cluster was made, for statistics and support.",
        readers="telemetry and must-gather",
        breaks="no effect at run time",
        source=INSTALLER + "pkg/asset/openshiftinstall/openshiftinstall.go",
    ),
)
