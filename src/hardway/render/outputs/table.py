"""What each file that an operator renders is for: one row a pattern. A file without a row is said to have none."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch

from hardway.render.outputs import control


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    operator: str
    pattern: str  # of the path below assets/rendered/OPERATOR
    what: str

    def matches(self, operator: str, file: str) -> bool:
        return operator == self.operator and fnmatch(file, self.pattern)


_API = (
    ("manifests/*.crd.yaml", "a type that the bootstrap needs before CVO brings it; of several variants the one"),
    (
        "rewritten/manifests/99_feature-gate.yaml",
        "the FeatureGate, now with status for this version: other renders read it",
    ),
)
_CONFIG = (("cloud-provider-config-generated.yaml", "the cloud provider's configuration: empty on platform none"),)
_CVO = (
    ("bootstrap/bootstrap-pod.yaml", "CVO's static pod on the bootstrap node, until the cluster runs it itself"),
    ("manifests/*_namespace.yaml", "the namespace that CVO moves to"),
    ("manifests/*_adminack_configmap.yaml", "where an administrator agrees to what an update takes away"),
    ("manifests/*_admingate_configmap.yaml", "what an administrator has to agree to"),
    ("manifests/*_clusteroperators.crd.yaml", "the type by which operators report: no payload holds it"),
    ("manifests/*_clusterversions-*.crd.yaml", "the type that says which release to become: no payload holds it"),
    ("manifests/*_roles.yaml", "CVO may do everything: it applies everything"),
    ("manifests/*_deployment.yaml", "CVO in the cluster, which follows the pod on the bootstrap node"),
    ("manifests/*_service.yaml", "CVO's metrics; service-ca signs a certificate for it"),
)
_MACHINE_CONFIG = (
    ("bootstrap/machineconfigoperator-bootstrap-pod.yaml", "the pod that renders, and serves masters at port 22623"),
    ("bootstrap/manifests/machineconfigcontroller-controllerconfig.yaml", "the cluster as templates see it"),
    ("bootstrap/manifests/machineconfigcontroller-pull-secret", "the pull secret, for every node"),
    ("bootstrap/manifests/*.machineconfigpool.yaml", "a pool: which configs its nodes are merged from"),
    ("manifests/csr-bootstrap-role-binding.yaml", "kubelets with the bootstrap kubeconfig may ask for a certificate"),
    ("manifests/kube-apiserver-serving-ca-configmap.yaml", "the clients' bundle, which becomes kubelet-ca.crt"),
)
_ROWS = {
    "api": _API,
    "config": _CONFIG,
    "cvo": _CVO,
    "etcd": control.ETCD,
    "kube-apiserver": control.API_SERVER,
    "machine-config": _MACHINE_CONFIG,
}

TABLE: tuple[Output, ...] = tuple(
    Output(operator=operator, pattern=pattern, what=what) for operator, rows in _ROWS.items() for pattern, what in rows
)


def what_for(operator: str, file: str) -> str:
    """The first row counts; empty if there is none."""
    return next((row.what for row in TABLE if row.matches(operator, file)), "")
