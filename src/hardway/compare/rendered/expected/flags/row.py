"""What the rows about arguments have in common."""

from __future__ import annotations

from typing import Any

from hardway.compare.rendered.row import Kind, Row
from hardway.model.why import because

KASO = "openshift/cluster-kube-apiserver-operator release-4.18 bindata/assets/config/defaultconfig.yaml"
KCMO = "openshift/cluster-kube-controller-manager-operator release-4.18 bindata/bootkube"
KSO = "openshift/cluster-kube-scheduler-operator release-4.18 bindata/bootkube"
OVERRIDES = "openshift/cluster-kube-apiserver-operator release-4.18 bindata/bootkube/config"
FORK = "openshift/kubernetes 1.31 openshift-kube-apiserver/openshiftkubeapiserver/flags.go"
KUBERNETES = "kubernetes 1.31 "
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
