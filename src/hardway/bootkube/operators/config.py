"""The operators that render types, configuration and the cluster-version operator: rows of operators.py."""

from __future__ import annotations

from hardway.bootkube.operators.row import SOURCE, Operator, copy, flag, output_flag, version_flag
from hardway.model.why import because

MANIFESTS = "/assets/manifests"
INFRASTRUCTURE = f"{MANIFESTS}/cluster-infrastructure-02-config.yml"

API = Operator(
    name="api",
    image="cluster-config-api",
    program="/usr/bin/render",
    verb="",
    output="api-bootstrap",
    stage="api-bootstrap",
    flags=(
        output_flag("--asset-output-dir", "api-bootstrap"),
        flag(
            "--rendered-manifest-dir",
            MANIFESTS,
            "The path of the FeatureGate; it is rewritten in place, with its status.",
            "no FeatureGates found: nothing is rendered",
        ),
        flag(
            "--cluster-profile",
            "self-managed-high-availability",
            "Of each CRD the variant for a cluster that runs its own control plane.",
            "the variants of hosted clusters come too, and the last one of a name wins",
        ),
        version_flag(),
    ),
    copies=(copy("manifests/*", "manifests/", "the CRDs, so that objects of these types can be created"),),
    why=because(
        "The CRDs that the bootstrap needs, and the FeatureGate's status for this version.",
        readers="cluster-bootstrap, which creates the CRDs; every later render, which reads the gates",
        breaks="the installer's own manifests have no types, and the later renders no feature gates",
        source=SOURCE,
    ),
)

CONFIG = Operator(
    name="config",
    image="cluster-config-operator",
    program="/usr/bin/cluster-config-operator",
    verb="render",
    output="config-bootstrap",
    stage="config-bootstrap",
    flags=(
        flag(
            "--skip-api-rendering",
            "",
            "cluster-config-api renders the CRDs in this release.",
            "the operator renders its own CRDs over the release's",
        ),
        flag(
            "--cluster-infrastructure-input-file",
            INFRASTRUCTURE,
            "The platform, which decides whether a cloud provider needs a configuration.",
            "the cloud provider's configuration is not made",
        ),
        flag(
            "--cloud-provider-config-output-file",
            "/assets/config-bootstrap/cloud-provider-config-generated.yaml",
            "Where that configuration goes; on platform none it is empty.",
            "MCO gets no cloud configuration on platforms that have one",
        ),
        flag(
            "--config-output-file",
            "/assets/config-bootstrap/config",
            "A flag of every renderer; nothing is written to it here.",
            "missing required flag",
        ),
        flag(
            "--asset-input-dir",
            "/assets/tls",
            "A flag of every renderer; it is not used here.",
            "missing required flag",
        ),
        output_flag("--asset-output-dir", "config-bootstrap"),
        flag(
            "--rendered-manifest-files",
            MANIFESTS,
            "The manifests made so far.",
            "no FeatureGates found, unless --skip-api-rendering is given",
        ),
        version_flag(),
    ),
    copies=(),
    why=because(
        "The cloud provider's configuration. On platform none there is none, and nothing is copied afterwards.",
        readers="the machine-config operator, on platforms with a cloud provider",
        breaks="no effect on platform none",
        source=SOURCE,
    ),
)

CVO = Operator(
    name="cvo",
    image="release",
    program="",
    verb="render",
    output="cvo-bootstrap",
    stage="cvo-bootstrap",
    flags=(
        output_flag("--output-dir", "cvo-bootstrap"),
        flag(
            "--release-image",
            "${release}",
            "The release that CVO is to apply, by digest: it goes into the pod and the Deployment.",
            "CVO has nothing to apply",
        ),
        flag(
            "--feature-gate-manifest-path",
            f"{MANIFESTS}/99_feature-gate.yaml",
            "The feature set, which decides between the variants of ClusterVersion's CRD.",
            "the CRD of the default set is taken, and fields of a preview are dropped",
        ),
    ),
    copies=(
        copy("bootstrap/*", "bootstrap-manifests/", "its own pod for this machine"),
        copy("manifests/*", "manifests/", "its CRDs, namespace and Deployment"),
        copy("kubeconfig-loopback", "/etc/kubernetes/kubeconfig", "what its pod mounts", source="auth"),
    ),
    why=because(
        "CVO's pod for the bootstrap node, and what the cluster needs for CVO to move there: not the manifests of "
        "the payload, which it applies itself when it runs.",
        readers="cluster-bootstrap",
        breaks="nothing applies the release",
        source=SOURCE,
    ),
)

ROWS: tuple[Operator, ...] = (API, CONFIG, CVO)
