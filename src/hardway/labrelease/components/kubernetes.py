"""What all programs of OpenShift's Kubernetes have in common: the module, and the version that is stamped in."""

from __future__ import annotations

from hardway.lines.default import DEFAULT

MODULE = "k8s.io/kubernetes"
_MAJOR, _MINOR = DEFAULT.kubernetes.split(".")
_VERSION = (
    ("gitMajor", _MAJOR),
    ("gitMinor", _MINOR),
    ("gitVersion", f"v{DEFAULT.lab_kubernetes}"),
    ("gitCommit", "4b2db1ec33fa"),
    ("gitTreeState", "clean"),
)
STAMPS = tuple(
    (f"k8s.io/{library}.{name}", value)
    for library in ("client-go/pkg/version", "component-base/version")
    for name, value in _VERSION
)
