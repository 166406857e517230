"""OpenShift 4.18, with Kubernetes 1.31."""

from __future__ import annotations

from hardway.lines.line import Gate, Ignition, Line, Operator, cumulative

CAPABILITY_SETS = cumulative(
    {
        "None": (),
        "v4.11": ("baremetal", "marketplace", "openshift-samples", "MachineAPI"),
        "v4.12": ("Console", "Insights", "Storage", "CSISnapshot"),
        "v4.13": ("NodeTuning",),
        "v4.14": ("Build", "DeploymentConfig", "ImageRegistry"),
        "v4.15": ("OperatorLifecycleManager", "CloudCredential"),
        "v4.16": ("Ingress", "CloudControllerManager"),
        "v4.17": (),
        "v4.18": ("OperatorLifecycleManagerV1",),
    }
)
"""The optional parts and the sets that name them (openshift/api config/v1)."""

GATES = (
    Gate(name="DynamicResourceAllocation", api="resource.k8s.io/v1alpha3"),
    Gate(name="EventedPLEG"),
    Gate(name="KMSv1"),
    Gate(name="MaxUnavailableStatefulSet"),
    Gate(name="NodeSwap"),
    Gate(name="ProcMountType"),
    Gate(name="ServiceAccountTokenNodeBinding"),
    Gate(name="TranslateStreamCloseWebsocketRequests"),
    Gate(name="UserNamespacesPodSecurityStandards"),
    Gate(name="UserNamespacesSupport"),
    Gate(name="VolumeAttributesClass", api="storage.k8s.io/v1beta1"),
)
"""Which gates of its feature sets are Kubernetes' own (kubernetes 1.31 pkg/features)."""

LOCKED = ("CloudDualStackNodeIPs", "DisableKubeletCloudCredentialProviders", "ValidatingAdmissionPolicy")
"""On for good: to set one of them is an error."""

OPERATORS = (
    Operator(
        name="etcd",
        deployment="openshift-etcd-operator/etcd-operator",
        pods="openshift-etcd/etcd",
        revisions="etcds.operator.openshift.io",
        why="It writes etcd's pod on every master, adds the members, and removes the bootstrap member as soon as the "
        "bootstrap is complete. It removes members that it does not know.",
    ),
    Operator(
        name="kube-apiserver",
        deployment="openshift-kube-apiserver-operator/kube-apiserver-operator",
        pods="openshift-kube-apiserver/kube-apiserver",
        revisions="kubeapiservers.operator.openshift.io",
        why="It writes kube-apiserver-pod.yaml on every master: a pod of that name made by hand is replaced.",
    ),
    Operator(
        name="kube-controller-manager",
        deployment="openshift-kube-controller-manager-operator/kube-controller-manager-operator",
        pods="openshift-kube-controller-manager/kube-controller-manager",
        revisions="kubecontrollermanagers.operator.openshift.io",
        why="It writes kube-controller-manager-pod.yaml on every master, with cluster-policy-controller beside it.",
    ),
    Operator(
        name="kube-scheduler",
        deployment="openshift-kube-scheduler-operator/openshift-kube-scheduler-operator",
        pods="openshift-kube-scheduler/openshift-kube-scheduler",
        revisions="kubeschedulers.operator.openshift.io",
        why="It writes kube-scheduler-pod.yaml on every master, under another pod name than Kubernetes' custom.",
    ),
    Operator(
        name="network",
        deployment="openshift-network-operator/network-operator",
        why="It deploys the pod network, which serves ClusterIPs too, and reports the networks in Network's status.",
    ),
)
"""Those on which something here depends (the manifests of openshift/cluster-NAME-operator). Stage 04 reads the others
from the release."""

LINE = Line(
    minor="4.18",
    kubernetes="1.31",
    release="4.18.0",
    ignition=Ignition(
        read=("3.2.0", "3.3.0", "3.4.0", "3.5.0"),
        written="3.2.0",
        rendered="3.4.0",
        merged=("2.2.0", "3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.4.0"),
    ),
    capability_sets=CAPABILITY_SETS,
    gates=GATES,
    locked_gates=LOCKED,
    operators=OPERATORS,
    lab_kubernetes="1.31.3",
)
