"""What the rows about arguments have in common."""

from __future__ import annotations

from typing import Any

from hardway.compare.rendered.row import Kind, Row
from hardway.lines.sources import kubernetes, kubernetes_fork, source
from hardway.model.why import because

KASO = source("cluster-kube-apiserver-operator", "bindata/assets/config/defaultconfig.yaml")
KCMO = source("cluster-kube-controller-manager-operator", "bindata/bootkube")
KSO = source("cluster-kube-scheduler-operator", "bindata/bootkube")
OVERRIDES = source("cluster-kube-apiserver-operator", "bindata/bootkube/config")
FORK = kubernetes_fork("openshift-kube-apiserver/openshiftkubeapiserver/flags.go")
KUBERNETES = kubernetes("")
CIS = "CIS Kubernetes Benchmark 1.11, check "
SECRETS = "/etc/kubernetes/secrets/"
CONTROL_PLANE = "kube-apiserver|kube-controller-manager|kube-scheduler"


def told(
    name: str,
    kind: Kind,
    aspect: str,
    accept: Any,
    what: str,
    breaks: str,
    source: str,
    *,
    besides: str = "",
    programs: str = "kube-apiserver",
) -> Row:
    return Row(
        name=name,
        area="flags",
        kind=kind,
        operator=programs,
        thing=programs,
        aspect=aspect,
        besides=besides,
        accept=accept,
        why=because(what, breaks=breaks, source=source),
    )
