"""The optional parts of OpenShift 4.18 and the sets that name them (openshift/api config/v1)."""

from __future__ import annotations

_ADDED: dict[str, tuple[str, ...]] = {
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


def _sets() -> dict[str, frozenset[str]]:
    """Each version's set holds what the versions before it held."""
    sets: dict[str, frozenset[str]] = {}
    so_far: frozenset[str] = frozenset()
    for version, added in _ADDED.items():
        so_far = so_far.union(added)
        sets[version] = so_far
    return sets | {"vCurrent": so_far}


CAPABILITY_SETS = _sets()
CAPABILITIES = tuple(sorted(CAPABILITY_SETS["vCurrent"]))
