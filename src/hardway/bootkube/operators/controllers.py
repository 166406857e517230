"""The operators of the controller-manager and of the scheduler: rows of operators.py."""

from __future__ import annotations

from hardway.bootkube.operators.flags import CONFIGS, config_flag, image_flag, input_flag, manifests_flag, networks_flag
from hardway.bootkube.operators.row import SOURCE, Operator, copy, flag, output_flag, version_flag
from hardway.model.why import because

CONTROLLER_MANAGER = Operator(
    name="kube-controller-manager",
    image="cluster-kube-controller-manager-operator",
    program="/usr/bin/cluster-kube-controller-manager-operator",
    verb="render",
    output="kube-controller-manager-bootstrap",
    stage="kube-controller-manager-bootstrap",
    flags=(
        flag(
            "--cluster-policy-controller-image",
            "${cluster-policy-controller}",
            "The image of the second container, which gives namespaces their ranges of user ids.",
            "SCC admission refuses pods of namespaces that have no range",
        ),
        image_flag("the controller-manager"),
        input_flag(),
        output_flag("--asset-output-dir", "kube-controller-manager-bootstrap"),
        config_flag("kube-controller-manager-bootstrap"),
        flag(
            "--cpc-config-output-file",
            "/assets/kube-controller-manager-bootstrap/cpc-config",
            "The second container's configuration file.",
            "missing required flag",
        ),
        networks_flag(),
        manifests_flag(),
        version_flag(),
    ),
    copies=(
        copy("config", f"{CONFIGS}/kube-controller-manager-config.yaml", "what --openshift-config names"),
        copy("cpc-config", f"{CONFIGS}/cluster-policy-controller-config.yaml", "the second container's"),
        copy("bootstrap-manifests/*", "bootstrap-manifests/", "its pod for this machine"),
        copy("manifests/*", "manifests/", "the signer of nodes' certificates and the token key, for its operator"),
        copy("tls/*", "tls/", "a token key, if it rendered one"),
    ),
    why=because(
        "The controller-manager's pod with cluster-policy-controller beside it, and what its operator takes over.",
        readers="cluster-bootstrap; the kube-controller-manager operator in the cluster",
        breaks="nothing signs the nodes' certificates",
        source=SOURCE,
    ),
)

SCHEDULER = Operator(
    name="kube-scheduler",
    image="cluster-kube-scheduler-operator",
    program="/usr/bin/cluster-kube-scheduler-operator",
    verb="render",
    output="kube-scheduler-bootstrap",
    stage="kube-scheduler-bootstrap",
    flags=(
        image_flag("the scheduler"),
        input_flag(),
        output_flag("--asset-output-dir", "kube-scheduler-bootstrap"),
        config_flag("kube-scheduler-bootstrap"),
    ),
    copies=(
        copy("config", f"{CONFIGS}/kube-scheduler-config.yaml", "rendered, but no pod mounts it"),
        copy("bootstrap-manifests/*", "bootstrap-manifests/", "its pod for this machine"),
        copy("manifests/*", "manifests/", "its namespace"),
    ),
    why=because(
        "The scheduler's pod and its namespace.",
        readers="cluster-bootstrap",
        breaks="no pod gets a node",
        source=SOURCE,
    ),
)

ROWS: tuple[Operator, ...] = (CONTROLLER_MANAGER, SCHEDULER)
