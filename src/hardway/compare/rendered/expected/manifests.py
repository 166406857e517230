"""Objects for the cluster that only one side has, and fields of those that both have."""

from __future__ import annotations

from functools import partial

from hardway.compare.rendered.objects import BY_HAND
from hardway.compare.row import ABSENT, Row, both_differ, is_ours, is_theirs, ours_alone, theirs_alone
from hardway.lines.sources import kubernetes, source
from hardway.manifests.handover import TYPE_LABEL

KASO = source("cluster-kube-apiserver-operator", "")
CVO = source("cluster-version-operator", "")
MCO = source("machine-config-operator", "")
INSTALLER = source("installer", "")
DESCRIPTION = "metadata.annotations.openshift.io/description"
PROFILE = "metadata.annotations.include.release.openshift.io/self-managed-high-availability"
SCC_ROLES = "ClusterRole system:openshift:scc:*|ClusterRoleBinding system:openshift:scc:*"


_their_object = partial(theirs_alone, aspect="object")
_our_object = partial(ours_alone, operator=BY_HAND, aspect="object")

MANIFESTS: tuple[Row, ...] = (
    _their_object(
        name="version-operator-itself",
        operator="cvo",
        thing="Deployment openshift-cluster-version/cluster-version-operator"
        "|Service openshift-cluster-version/cluster-version-operator|ClusterRoleBinding cluster-version-operator",
        what="The cluster-version operator as the cluster runs it later. Ours is applied by the bootstrap one: its "
        "own manifests are in its image, and it applies them before the payload's.",
        breaks="no effect, as long as the bootstrap operator runs until a master can run the Deployment",
        source=CVO + "install",
    ),
    _their_object(
        name="update-gates",
        operator="cvo",
        thing="ConfigMap openshift-config/admin-acks|ConfigMap openshift-config-managed/admin-gates",
        what="Where an administrator says yes to an update; from the same folder of the operator's image.",
        breaks="no effect before the first update",
        source=CVO + "install",
    ),
    both_differ(
        name="constraint-annotations",
        operator="kube-apiserver",
        thing=f"SecurityContextConstraints *|{SCC_ROLES}",
        aspect="metadata.annotations|metadata.annotations.*",
        what="The operator's files are also part of the payload, and have its annotations: for which flavours of "
        "OpenShift they are, and that an existing object stays. Ours describe a constraint in our own words.",
        breaks="no effect: the payload's own objects are applied over ours, unless they are only to be created",
        source=KASO + "bindata/bootkube/scc-manifests",
    ),
    theirs_alone(
        name="role-updates",
        operator="kube-controller-manager",
        thing="ClusterRole* system:openshift:controller:*",
        aspect="metadata.annotations",
        accept=is_theirs({"rbac.authorization.kubernetes.io/autoupdate": "true"}),
        what="An annotation of the API server's own roles: it restores them when it starts. It knows no role of this "
        "name.",
        breaks="no effect",
        source=source("cluster-kube-controller-manager-operator", "bindata/bootkube/manifests"),
    ),
    _their_object(
        name="no-such-constraint",
        operator="kube-apiserver",
        thing="ClusterRole system:openshift:scc:hostmount",
        what="A role for a constraint that does not exist; the payload has it too.",
        breaks="no effect",
        source=KASO + "bindata/bootkube/scc-manifests",
    ),
    _their_object(
        name="newer-constraint",
        operator="kube-apiserver",
        thing="SecurityContextConstraints hostmount-anyuid-v2|ClusterRole system:openshift:scc:hostmount-anyuid-v2",
        what="Later releases of the line have an eleventh constraint: hostmount-anyuid with any SELinux label. The "
        "admission plugin does not wait for it, and the payload has it.",
        breaks="no effect: until the cluster-version operator brings it, nobody uses it",
        source=KASO + "bindata/bootkube/scc-manifests",
    ),
    _their_object(
        name="request-counts",
        operator="kube-apiserver",
        thing="CustomResourceDefinition apirequestcounts.apiserver.openshift.io",
        what="Where OpenShift's API server counts who uses which API. Ours comes with the payload.",
        breaks="until then the API server logs that it cannot write its counts",
        source=KASO + "Dockerfile",
    ),
    _their_object(
        name="machine-config-inputs",
        operator="machine-config",
        thing="ControllerConfig machine-config-controller|MachineConfigPool master|MachineConfigPool worker",
        what="What the machine-config controller on the bootstrap machine starts from. Here the controller has run in "
        "stage 04, from the same; in the cluster the operator makes these itself.",
        breaks="no effect: they never reach the API from the bootstrap machine on either road",
        source=MCO + "manifests",
    ),
    _our_object(
        name="installer-manifests",
        thing="ClusterVersion openshift-cluster-version/version|ConfigMap kube-system/*"
        "|ConfigMap openshift-config/openshift-install-manifests|ConfigMap openshift-config/user-ca-bundle"
        "|FeatureGate cluster|Infrastructure cluster|Scheduler cluster|*.config.openshift.io cluster"
        "|*.operator.openshift.io cluster|Secret kube-system/*|Secret openshift-machine-api/*"
        "|Secret openshift-config/pull-secret|Secret openshift-machine-config-operator/machine-config-server-tls"
        "|MachineConfig 99-*|ImageDigestMirrorSet *|ImageContentSourcePolicy *",
        what="What the installer writes before any operator renders; `hardway compare-installer` compares these with "
        "it.",
        breaks="the operators have nothing to render from: no networks, no domain, no version",
        source=INSTALLER + "pkg/asset/manifests",
    ),
    _our_object(
        name="early-namespaces",
        thing="Namespace openshift-config|Namespace openshift-config-managed|Namespace openshift-machine-api"
        "|Namespace openshift-machine-config-operator",
        what="Namespaces of the payload that some of these objects live in. bootkube tries those objects again and "
        "again until the cluster-version operator has made the namespace; ours makes it first.",
        breaks="the first passes over the manifests end with `namespaces not found`",
        source=source("cluster-bootstrap", "pkg/start"),
    ),
    theirs_alone(
        name="descriptions",
        operator="etcd",
        thing="Secret openshift-etcd/*|ConfigMap openshift-etcd/*",
        aspect=DESCRIPTION,
        accept=lambda theirs, ours: isinstance(theirs, str) and ours == ABSENT,
        what="A sentence about what the certificate is for. The running operator adds it to ours when it takes them "
        "over, without touching what is in them.",
        breaks="no effect: one update of the object's metadata",
        source=source("library-go", "pkg/operator/certrotation/annotations.go"),
    ),
    theirs_alone(
        name="payload-marks",
        operator="cvo",
        thing="Namespace openshift-cluster-version",
        aspect=f"{PROFILE}|metadata.annotations.kubernetes.io/description",
        accept=is_theirs(),
        what="Annotations of a payload manifest: its profile, and what it is for. They are for the cluster-version "
        "operator, which adds them when it applies its own.",
        breaks="no effect",
        source=CVO + "install",
    ),
    ours_alone(
        name="signer-label",
        operator="kube-apiserver|kube-controller-manager",
        thing="Secret openshift-kube-*-operator/*-signer",
        aspect="metadata.labels",
        accept=is_ours({TYPE_LABEL: "signer"}),
        what="The label by which the running operator marks a signer, as the etcd operator's render has it.",
        breaks="no effect: one update more when the operator takes it over",
        source=source("library-go", "pkg/operator/certrotation/label.go"),
    ),
    ours_alone(
        name="opaque",
        operator="kube-apiserver|kube-controller-manager",
        thing="Secret openshift-kube-apiserver-operator/next-bound-service-account-signing-key"
        "|Secret openshift-config/initial-service-account-private-key",
        aspect="type",
        accept=is_ours("Opaque"),
        what="Writes out a value that the API fills in.",
        breaks="no effect",
        source=kubernetes("pkg/apis/core/v1/defaults.go"),
    ),
)
