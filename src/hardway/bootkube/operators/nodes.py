"""The operators of ingress, nodes and credentials: rows of operators.py."""

from __future__ import annotations

from hardway.bootkube.operators.config import MANIFESTS
from hardway.bootkube.operators.row import SOURCE, Operator, copy, flag, output_flag, version_flag
from hardway.model.why import because

INGRESS = Operator(
    name="ingress",
    image="cluster-ingress-operator",
    program="",
    verb="render",
    output="ingress-operator-manifests",
    stage="ingress-operator-bootstrap",
    flags=(
        flag(
            "--prefix",
            "cluster-ingress-",
            "The prefix of its files' names, because they go into a common folder.",
            "a file of another operator could have the same name",
        ),
        output_flag("--output-dir", "ingress-operator-manifests"),
    ),
    copies=(copy("*", "manifests/", "the CRD of IngressController, and its namespace"),),
    why=because(
        "The type IngressController and the operator's namespace, so that the installer's manifests can have an "
        "object of this type.",
        readers="cluster-bootstrap",
        breaks="a manifest of that type waits until CVO brings the type",
        source=SOURCE,
    ),
)

NODE_TUNING = Operator(
    name="node-tuning",
    image="cluster-node-tuning-operator",
    program="",
    verb="render",
    output="node-tuning-bootstrap",
    stage="node-tuning-bootstrap",
    flags=(
        flag(
            "--asset-input-dir",
            MANIFESTS,
            "Where PerformanceProfiles and the Infrastructure's CPU partitioning are looked for.",
            "missing required flag",
        ),
        output_flag("--asset-output-dir", "node-tuning-bootstrap"),
    ),
    copies=(copy("*", "manifests/", "MachineConfigs; nothing unless there is something to tune"),),
    why=because(
        "MachineConfigs for performance profiles and workload partitioning, before the first node boots.",
        readers="the machine-config controller",
        breaks="such nodes boot untuned, and reboot later",
        source=SOURCE,
    ),
)

MACHINE_CONFIG = Operator(
    name="machine-config",
    image="machine-config-operator",
    program="",
    verb="bootstrap",
    output="mco-bootstrap",
    stage="mco-bootstrap",
    flags=(
        flag(
            "--root-ca",
            "/assets/tls/root-ca.crt",
            "The CA of the machine-config server.",
            "a node cannot trust that server",
        ),
        flag(
            "--kube-ca",
            "/assets/tls/kube-apiserver-complete-client-ca-bundle.crt",
            "The signers of the clients that a kubelet accepts: the clients' bundle, in spite of the flag's name.",
            "kubelets refuse the API server: no logs, no exec",
        ),
        flag(
            "--config-file",
            f"{MANIFESTS}/cluster-config.yaml",
            "The install-config as the cluster keeps it.",
            "there is nothing to render from",
        ),
        output_flag("--dest-dir", "mco-bootstrap"),
        flag(
            "--pull-secret",
            f"{MANIFESTS}/openshift-config-secret-pull-secret.yaml",
            "The nodes' registry credentials.",
            "no node can pull an image",
        ),
        flag("--release-image", "${release}", "Goes into the ControllerConfig.", "the controller refuses to render"),
        flag(
            "--image-references",
            "assets/image-references",
            "The release's list of images, which bootkube has read out of the release image before.",
            "Failed to find … in image references",
        ),
        version_flag(),
    ),
    copies=(
        copy("bootstrap/manifests/*", "/etc/mcc/bootstrap/", "what the controller renders from: config, pools"),
        copy("*", "/etc/mcc/bootstrap/", "the installer's MachineConfigs", source="openshift"),
        copy("*", "/etc/mcc/bootstrap/", "mirrors, gates and all else the controller may read", source="manifests"),
        copy("kubeconfig-kubelet", "/etc/mcs/kubeconfig", "what the server hands to nodes", source="auth"),
        copy(
            "bootstrap/machineconfigoperator-bootstrap-pod.yaml",
            "/etc/kubernetes/manifests/",
            "the pod: the kubelet starts it now",
        ),
        copy("manifests/*", "manifests/", "the kubelets' right to ask for certificates, and a bundle"),
        copy("machine-config-server.crt", "/etc/ssl/mcs/tls.crt", "the server's certificate", source="tls"),
        copy("machine-config-server.key", "/etc/ssl/mcs/tls.key", "its key", source="tls"),
    ),
    why=because(
        "What the machine-config controller renders nodes from, and the pod that renders and serves them.",
        readers="the kubelet on the bootstrap node; masters, at their first boot",
        breaks="a master's pointer config names a port where nothing answers",
        source=SOURCE,
    ),
)

CREDENTIALS = Operator(
    name="cloud-credential",
    image="cloud-credential-operator",
    program="",
    verb="render",
    output="cco-bootstrap",
    stage="cco-bootstrap",
    flags=(
        output_flag("--dest-dir", "cco-bootstrap"),
        flag(
            "--manifests-dir",
            MANIFESTS,
            "Where the mode and the capabilities are read.",
            "it cannot decide whether it is wanted",
        ),
        flag(
            "--cloud-credential-operator-image",
            "${cloud-credential-operator}",
            "The image of its pod.",
            "missing required flag",
        ),
    ),
    copies=(
        copy("manifests/*", "manifests/", "its two CRDs, its namespace and its configuration"),
        copy("bootstrap-manifests/*", "bootstrap-manifests/", "its pod, unless it is turned off"),
    ),
    why=because(
        "The types by which operators request cloud credentials; on platform none they get none.",
        readers="cluster-bootstrap",
        breaks="CredentialsRequests wait until CVO brings the type",
        source=SOURCE,
    ),
)

ROWS: tuple[Operator, ...] = (INGRESS, NODE_TUNING, MACHINE_CONFIG, CREDENTIALS)
