"""The operators of etcd and of the API server: rows of operators.py."""

from __future__ import annotations

from hardway.bootkube.operators.config import INFRASTRUCTURE, MANIFESTS
from hardway.bootkube.operators.flags import (
    CONFIGS,
    NETWORK,
    config_flag,
    image_flag,
    input_flag,
    manifests_flag,
    networks_flag,
)
from hardway.bootkube.operators.row import SOURCE, Operator, copy, flag, output_flag, version_flag
from hardway.model.why import because

ETCD = Operator(
    name="etcd",
    image="cluster-etcd-operator",
    program="/usr/bin/cluster-etcd-operator",
    verb="render",
    output="etcd-bootstrap",
    stage="etcd-bootstrap",
    on_machine=True,
    flags=(
        output_flag("--asset-output-dir", "etcd-bootstrap"),
        flag(
            "--cluster-configmap-file",
            f"{MANIFESTS}/cluster-config.yaml",
            "The install-config: the machine network, which decides this machine's address; how many masters.",
            "missing required flag; without networking.machineNetwork in it, a panic",
        ),
        flag("--etcd-image", "${etcd}", "The image of etcd's pod.", "missing required flag"),
        flag("--infra-config-file", INFRASTRUCTURE, "The platform, for etcd's timing.", "missing required flag"),
        flag(
            "--network-config-file",
            NETWORK,
            "Which family of addresses comes first.",
            "missing required flag",
        ),
    ),
    copies=(
        copy("etc-kubernetes/*", "/etc/kubernetes/", "etcd's pod and its certificates: the kubelet starts it now"),
        copy("manifests/*", "manifests/", "signers, bundles and certificates, for the operator in the cluster"),
        copy("tls/*", "tls/", "the credentials for etcd of the API server and of this script"),
    ),
    why=because(
        "etcd's PKI, made here by the operator's own controller, and the pod of the first member.",
        readers="the kubelet on the bootstrap node; the etcd operator in the cluster, which takes the signers over",
        breaks="there is no store; with signers of another origin, the operator creates new ones",
        source=SOURCE,
    ),
)

API_SERVER = Operator(
    name="kube-apiserver",
    image="cluster-kube-apiserver-operator",
    program="/usr/bin/cluster-kube-apiserver-operator",
    verb="render",
    output="kube-apiserver-bootstrap",
    stage="kube-apiserver-bootstrap",
    flags=(
        flag(
            "--manifest-etcd-serving-ca",
            "etcd-ca-bundle.crt",
            "The CA that the API server trusts for etcd: a file name below /etc/kubernetes/secrets.",
            "with a path, the API server looks for a file that does not exist, and exits",
        ),
        flag(
            "--manifest-etcd-server-urls",
            "https://localhost:2379",
            "etcd on this machine.",
            "no effect: the default is 127.0.0.1. With a name in the cluster's domain: it does not resolve yet",
        ),
        image_flag("the API server"),
        flag(
            "--manifest-operator-image",
            "${cluster-kube-apiserver-operator}",
            "The image of a second container, which reports on port 6080 whether the API is ready.",
            "that container is left out",
        ),
        input_flag(),
        output_flag("--asset-output-dir", "kube-apiserver-bootstrap"),
        config_flag("kube-apiserver-bootstrap"),
        networks_flag(),
        flag(
            "--cluster-auth-file",
            f"{MANIFESTS}/cluster-authentication-02-config.yaml",
            "An issuer of tokens of your own; the file may be missing.",
            "the issuer is https://kubernetes.default.svc, as without the file",
        ),
        flag(
            "--infra-config-file",
            INFRASTRUCTURE,
            "Whether there is a single master: then the API server does not wait for others when it stops.",
            "a single node takes 135 s to stop",
        ),
        manifests_flag(),
        version_flag(),
        flag(
            "--operand-kubernetes-version",
            "${kubernetes}",
            "The version of the API server, which decides about APIs that are turned on.",
            "beta APIs of another version are asked for",
            late=True,
        ),
    ),
    copies=(
        copy("config", f"{CONFIGS}/kube-apiserver-config.yaml", "what --openshift-config names"),
        copy("bootstrap-manifests/*", "bootstrap-manifests/", "its pod for this machine"),
        copy("manifests/*", "manifests/", "the signers that the operator starts from, roles, SCCs"),
    ),
    why=because(
        "The API server's pod, its configuration, and the signers that its operator takes over.",
        readers="cluster-bootstrap; the kube-apiserver operator in the cluster",
        breaks="there is no API; without the signers the operator creates new ones and every kubeconfig becomes "
        "invalid",
        source=SOURCE,
    ),
)

ROWS: tuple[Operator, ...] = (ETCD, API_SERVER)
