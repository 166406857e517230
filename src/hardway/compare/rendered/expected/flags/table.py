"""Arguments: how they are given, admission, feature gates, and the APIs that belong to these."""

from __future__ import annotations

import ipaddress
from typing import Any

from hardway.compare.rendered.expected.flags.clients import CLIENTS
from hardway.compare.rendered.expected.flags.row import FORK, KASO, KUBERNETES, told
from hardway.compare.rendered.expected.flags.values import SERVED, VALUES
from hardway.compare.rendered.row import Accept, Row, is_ours, is_theirs
from hardway.lines.default import DEFAULT
from hardway.lines.sources import source
from hardway.model.why import because

CEO = source("cluster-etcd-operator", "pkg/cmd/render/env.go")
API, MANAGER = "kube-apiserver", "kube-controller-manager"
GATES, PLUGINS = "--feature-gates.", "--enable-admission-plugins."
DEFAULT_ON = (
    "CertificateApproval",
    "CertificateSigning",
    "CertificateSubjectRestriction",
    "DefaultIngressClass",
    "DefaultStorageClass",
    "DefaultTolerationSeconds",
    "LimitRanger",
    "MutatingAdmissionWebhook",
    "NamespaceLifecycle",
    "PersistentVolumeClaimResize",
    "Priority",
    "ResourceQuota",
    "RuntimeClass",
    "ServiceAccount",
    "StorageObjectInUseProtection",
    "TaintNodesByCondition",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
)
"""The plugins of the operator's list that Kubernetes turns on by itself."""


def _is_address(theirs: Any, ours: Any) -> bool:
    try:
        return theirs == "${HOST_IP}" and bool(ipaddress.ip_address(ours))
    except ValueError:
        return False


def _ways(theirs: str, ours: str) -> Accept:
    """Each side says by what, and the value; whether that is the same is said elsewhere."""
    return lambda first, second: str(first).startswith(f"{theirs}: ") and str(second).startswith(f"{ours}: ")


FORM: tuple[Row, ...] = (
    Row(
        name="by-variable",
        area="flags",
        kind="other",
        operator="etcd",
        aspect="* given by",
        accept=_ways("a variable", "a flag"),
        why=because(
            "etcd takes any flag from a variable ETCD_… as well; the operator keeps in variables what it computes, and "
            "the rest in its template. The values are the same.",
            breaks="nothing: `ps` shows a flag, and for a variable one has to look into the container",
            source=CEO,
        ),
    ),
    told(
        "by-file",
        "other",
        "* given by",
        _ways("the configuration file", "a flag"),
        "OpenShift's API server makes flags of its configuration file before it starts; what is in both has the same "
        "effect. Upstream's program has no such file.",
        "nothing: in the pod's own text one sees what the program is told, without a second file",
        FORK,
    ),
    told(
        "openshift-config",
        "operator",
        "--openshift-config",
        is_theirs("/etc/kubernetes/config/kube-apiserver-config.yaml"),
        "Names the configuration file, and turns on what only OpenShift's build has: its admission plugins, its "
        "authorizers, the well-known OAuth address.",
        "until an API server of the operator serves, no SecurityContextConstraint is chosen for a pod, and no "
        "ClusterResourceQuota is counted. A pod that must not run as root, and whose image names no numeric user, ends "
        "in CreateContainerConfigError",
        FORK,
    ),
    told(
        "advertise-address",
        "other",
        "--advertise-address",
        _is_address,
        "The same address, from the plan instead of from the kubelet.",
        "with two networks the kubelet's choice may be the wrong one (F32)",
        KASO,
    ),
)

ADMISSION: tuple[Row, ...] = (
    told(
        "admission-default",
        "operator",
        "|".join(f"{PLUGINS}{name}" for name in DEFAULT_ON),
        is_theirs("on"),
        "The operator lists these; Kubernetes turns them on by itself, so they are on in ours too.",
        "nothing",
        KUBERNETES + "pkg/kubeapiserver/options/plugins.go",
    ),
    told(
        "admission-openshift",
        "operator",
        f"{PLUGINS}*.openshift.io/*",
        is_theirs("on"),
        "Plugins of OpenShift's own build, turned on by --openshift-config and by no flag. The same render brings the "
        "SCCs and the roles for them, so that they are there when the first pod is admitted.",
        "no SCC chooses a user for a pod: container has runAsNonRoot and image will run as root. A configuration "
        "object with a wrong name or value is accepted, and the only cluster-wide one can be deleted",
        KASO,
    ),
)

GATE_ROWS: tuple[Row, ...] = (
    told(
        "openshift-gates",
        "operator",
        f"{GATES}*",
        is_theirs("true", "false"),
        "The operator passes every gate of the release on; most belong to other operators, and OpenShift's build "
        "warns about names it does not know. Ours passes those that Kubernetes has.",
        "nothing here; upstream's program would exit at the first unknown name",
        KUBERNETES + "pkg/features; " + KASO,
        programs=f"{API}|{MANAGER}",
        besides="|".join(f"{GATES}{gate.name}" for gate in DEFAULT.gates)
        + "|"
        + "|".join(f"{GATES}{name}" for name in DEFAULT.locked_gates),
    ),
    told(
        "locked-gates",
        "operator",
        "|".join(f"{GATES}{name}" for name in DEFAULT.locked_gates),
        is_theirs("true"),
        f"Kubernetes {DEFAULT.kubernetes} has these gates on for good.",
        "nothing: to name them is at best a warning",
        KUBERNETES + "pkg/features",
        programs=f"{API}|{MANAGER}",
    ),
    told(
        "policy-beta",
        "operator",
        "--runtime-config|--runtime-config.admissionregistration.k8s.io/v1beta1",
        is_theirs("true", {"admissionregistration.k8s.io/v1beta1": "true"}),
        "Serves the beta version of admission policies beside the stable one, for as long as a release has clients of "
        "it. The payload's own manifests use the stable one.",
        "a client that asks for the beta version gets 404 until the pivot",
        source("cluster-kube-apiserver-operator", "pkg/operator/configobservation/apienablement"),
    ),
)

_APIS = source("cluster-kube-apiserver-operator", "pkg/operator/configobservation/apienablement")
APIS: tuple[Row, ...] = (
    told(
        "older-apis",
        "operator",
        "--runtime-config.resource.k8s.io/v1alpha2",
        is_theirs("true"),
        "An operator that is not told the version of Kubernetes asks for an API that "
        f"{DEFAULT.kubernetes} does not have any more.",
        "nothing: the API server passes over a version that it does not know",
        _APIS,
    ),
    told(
        "newer-apis",
        "hand",
        "--runtime-config.resource.k8s.io/v1alpha3|--runtime-config.storage.k8s.io/v1beta1",
        is_ours("true"),
        f"The APIs of gates that are on, in the versions that {DEFAULT.kubernetes} has; {DEFAULT.branch}'s operator "
        "renders the same, the ones before it did not.",
        "the scheduler waits for a resource that nobody serves",
        _APIS,
    ),
)

FLAGS: tuple[Row, ...] = (*FORM, *ADMISSION, *GATE_ROWS, *APIS, *VALUES, *SERVED, *CLIENTS)
