"""Objects for the cluster that only one side has, and fields of those that both have."""

from __future__ import annotations

from typing import Any

from hardway.compare.rendered.objects import BY_HAND
from hardway.compare.rendered.row import Row, is_ours, is_theirs, values
from hardway.compare.row import ABSENT, PRESENT
from hardway.lines.sources import kubernetes, source
from hardway.manifests.handover import TYPE_LABEL
from hardway.model.why import because

CEO = source("cluster-etcd-operator", "")
KASO = source("cluster-kube-apiserver-operator", "")
CVO = source("cluster-version-operator", "")
MCO = source("machine-config-operator", "")
INSTALLER = source("installer", "")
DESCRIPTION = "metadata.annotations.openshift.io/description"
PROFILE = "metadata.annotations.include.release.openshift.io/self-managed-high-availability"
POLICY = (
    "namespace-security-allocation-controller",
    "podsecurity-admission-label-syncer-controller",
    "privileged-namespaces-psa-label-syncer",
)
SCC_ROLES = "ClusterRole system:openshift:scc:*|ClusterRoleBinding system:openshift:scc:*"


def _only_theirs(name: str, operator: str, thing: str, what: str, breaks: str, source: str) -> Row:
    return _object(name, operator, thing, values(PRESENT, ABSENT), what, breaks, source)


def _object(name: str, operator: str, thing: str, accept: Any, what: str, breaks: str, source: str) -> Row:
    return Row(
        name=name,
        area="manifests",
        kind="hand" if operator == BY_HAND else "operator",
        operator=operator,
        thing=thing,
        aspect="object",
        accept=accept,
        why=because(what, breaks=breaks, source=source),
    )


def _only_ours(name: str, thing: str, what: str, breaks: str, source: str) -> Row:
    return _object(name, BY_HAND, thing, values(ABSENT, PRESENT), what, breaks, source)


THEIRS: tuple[Row, ...] = (
    _only_theirs(
        "version-operator-itself",
        "cvo",
        "Deployment openshift-cluster-version/cluster-version-operator"
        "|Service openshift-cluster-version/cluster-version-operator|ClusterRoleBinding cluster-version-operator",
        "The cluster-version operator as the cluster runs it later. Ours is applied by the bootstrap one: its own "
        "manifests are in its image, and it applies them before the payload's.",
        "nothing, as long as the bootstrap operator runs until a master can take the Deployment",
        CVO + "install",
    ),
    _only_theirs(
        "update-gates",
        "cvo",
        "ConfigMap openshift-config/admin-acks|ConfigMap openshift-config-managed/admin-gates",
        "Where an administrator says yes to an update; from the same folder of the operator's image.",
        "nothing before the first update",
        CVO + "install",
    ),
    _only_theirs(
        "constraints",
        "kube-apiserver",
        f"SecurityContextConstraints *|{SCC_ROLES}",
        "OpenShift's pod security, and the roles that let others use each. Ours come with the payload, which has the "
        "same files: our API server does not ask for them before.",
        "an API server with OpenShift's admission refuses every pod until they are there: with that road they must be "
        "among the first manifests",
        KASO + "bindata/bootkube/scc-manifests",
    ),
    _only_theirs(
        "request-counts",
        "kube-apiserver",
        "CustomResourceDefinition apirequestcounts.apiserver.openshift.io",
        "Where OpenShift's API server counts who uses which API. Ours comes with the payload.",
        "an API server with OpenShift's configuration logs that it cannot write its counts",
        KASO + "Dockerfile",
    ),
    _only_theirs(
        "policy-roles",
        "kube-controller-manager",
        "|".join(f"ClusterRole* system:openshift:controller:{name}" for name in POLICY),
        "What cluster-policy-controller may do: give namespaces their ranges, and label them for pod security. The "
        "running operator applies the same.",
        "nothing without that controller, which does not run on our bootstrap machine",
        source("cluster-kube-controller-manager-operator", "bindata/bootkube/manifests"),
    ),
    _only_theirs(
        "machine-config-inputs",
        "machine-config",
        "ControllerConfig machine-config-controller|MachineConfigPool master|MachineConfigPool worker",
        "What the machine-config controller on the bootstrap machine starts from. Here the controller has run in stage "
        "04, from the same; in the cluster the operator makes these itself.",
        "nothing: they never reach the API from the bootstrap machine on either road",
        MCO + "manifests",
    ),
)

OURS: tuple[Row, ...] = (
    _only_ours(
        "installer-manifests",
        "ClusterVersion openshift-cluster-version/version|ConfigMap kube-system/*"
        "|ConfigMap openshift-config/openshift-install-manifests|ConfigMap openshift-config/user-ca-bundle|FeatureGate "
        "cluster|Infrastructure cluster|Scheduler cluster|*.config.openshift.io cluster|*.operator.openshift.io cluster"
        "|Secret kube-system/*|Secret openshift-machine-api/*|Secret openshift-config/pull-secret"
        "|Secret openshift-machine-config-operator/machine-config-server-tls|MachineConfig 99-*"
        "|ImageDigestMirrorSet *|ImageContentSourcePolicy *",
        "What the installer writes before any operator renders; `hardway compare-installer` holds these against it.",
        "the operators have nothing to render from: no networks, no domain, no version",
        INSTALLER + "pkg/asset/manifests",
    ),
    _only_ours(
        "early-namespaces",
        "Namespace openshift-config|Namespace openshift-config-managed|Namespace openshift-machine-api"
        "|Namespace openshift-machine-config-operator",
        "Namespaces of the payload that some of these objects live in. bootkube tries those objects again and again "
        "until the cluster-version operator has made the namespace; ours makes it first.",
        "the first passes over the manifests end with `namespaces not found`",
        source("cluster-bootstrap", "pkg/start"),
    ),
)

FIELDS: tuple[Row, ...] = (
    Row(
        name="descriptions",
        area="manifests",
        kind="operator",
        operator="etcd",
        thing="Secret openshift-etcd/*|ConfigMap openshift-etcd/*",
        aspect=DESCRIPTION,
        accept=lambda theirs, ours: isinstance(theirs, str) and ours == ABSENT,
        why=because(
            "A sentence about what the certificate is for. The running operator adds it to ours when it takes them "
            "over, without touching what is in them.",
            breaks="nothing: one update of the object's metadata",
            source=source("library-go", "pkg/operator/certrotation/annotations.go"),
        ),
    ),
    Row(
        name="payload-marks",
        area="manifests",
        kind="operator",
        operator="cvo",
        thing="Namespace openshift-cluster-version",
        aspect=f"{PROFILE}|metadata.annotations.kubernetes.io/description",
        accept=is_theirs(),
        why=because(
            "Marks of a manifest of the payload: in which profile it belongs, and what it is for. They are for the "
            "cluster-version operator's reading of files, and it adds them when it applies its own.",
            breaks="nothing",
            source=CVO + "install",
        ),
    ),
    Row(
        name="signer-label",
        area="manifests",
        kind="hand",
        operator="kube-apiserver|kube-controller-manager",
        thing="Secret openshift-kube-*-operator/*-signer",
        aspect="metadata.labels",
        accept=is_ours({TYPE_LABEL: "signer"}),
        why=because(
            "The label by which the running operator marks a signer, as the etcd operator's render has it.",
            breaks="nothing: one update more when the operator takes it over",
            source=source("library-go", "pkg/operator/certrotation/label.go"),
        ),
    ),
    Row(
        name="opaque",
        area="manifests",
        kind="hand",
        operator="kube-apiserver|kube-controller-manager",
        thing="Secret openshift-kube-apiserver-operator/next-bound-service-account-signing-key"
        "|Secret openshift-config/initial-service-account-private-key",
        aspect="type",
        accept=is_ours("Opaque"),
        why=because(
            "Written out what the API fills in.",
            breaks="nothing",
            source=kubernetes("pkg/apis/core/v1/defaults.go"),
        ),
    ),
)

MANIFESTS: tuple[Row, ...] = (*THEIRS, *OURS, *FIELDS)
