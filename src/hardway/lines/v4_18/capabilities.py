"""The optional parts of OpenShift 4.18 and the sets that name them (openshift/api config/v1)."""

from __future__ import annotations

from hardway.lines.line import cumulative

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
