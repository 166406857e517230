"""Which gates of OpenShift 4.18's feature sets are Kubernetes' own (kubernetes 1.31 pkg/features)."""

from __future__ import annotations

from hardway.lines.line import Gate

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
LOCKED = ("CloudDualStackNodeIPs", "DisableKubeletCloudCredentialProviders", "ValidatingAdmissionPolicy")
"""On for good: to set one of them is an error."""
