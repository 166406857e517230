"""OpenShift 4.18, with Kubernetes 1.31."""

from __future__ import annotations

from hardway.lines.line import Gate, Ignition, Line, cumulative

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

LINE = Line(
    minor="4.18",
    kubernetes="1.31",
    release="4.18.0",
    ignition=Ignition(read=("3.2.0", "3.3.0", "3.4.0", "3.5.0"), written="3.2.0", rendered="3.4.0"),
    capability_sets=CAPABILITY_SETS,
    gates=GATES,
    locked_gates=LOCKED,
    lab_kubernetes="1.31.3",
)
