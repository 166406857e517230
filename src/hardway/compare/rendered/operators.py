"""THE TABLE of operators: what each renders that we write by hand, and where both are."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.compare.row import like

FOLDER = "rendered"  # below assets
NAMESPACE, MAP, SECRET = "Namespace ", "ConfigMap ", "Secret "  # how the names of objects begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """A folder below rendered/. `pod` is the file in it, `ours` the file below assets that stands for it."""

    name: str
    what: str
    pod: str = ""
    ours: str = ""
    objects: str = ""  # which of our objects are hand-made versions of its own


OPERATORS: tuple[Operator, ...] = (
    Operator(name="api", what="the CRDs of OpenShift's configuration API", objects="CustomResourceDefinition *"),
    Operator(name="config", what="the cloud provider's settings"),
    Operator(
        name="cvo",
        what="the cluster-version operator: its pod and its own manifests",
        pod="bootstrap/bootstrap-pod.yaml",
        ours="bootstrap-manifests/bootstrap-pod.yaml",
        objects=f"{NAMESPACE}openshift-cluster-version",
    ),
    Operator(
        name="etcd",
        what="etcd: its pod, its certificates, and what the etcd operator takes over",
        pod="etc-kubernetes/manifests/etcd-member-pod.yaml",
        ours="bootstrap-manifests/etcd-member-pod.yaml",
        objects=f"{NAMESPACE}openshift-etcd|{MAP}openshift-etcd/*|{SECRET}openshift-etcd/*|Service openshift-etcd/*",
    ),
    Operator(
        name="kube-apiserver",
        what="the API server: its pod, its configuration file, signers and bundles",
        pod="bootstrap-manifests/kube-apiserver-pod.yaml",
        ours="bootstrap-manifests/kube-apiserver-pod.yaml",
        objects=f"{NAMESPACE}openshift-kube-apiserver*|{SECRET}openshift-kube-apiserver-operator/*|ClusterRole* "
        "kube-apiserver|SecurityContextConstraints *|ClusterRole* system:openshift:scc:*"
        f"|{MAP}openshift-config/admin-kubeconfig-client-ca|{MAP}openshift-config-managed/*",
    ),
    Operator(
        name="kube-controller-manager",
        what="the controller-manager: its pod, the nodes' signer, the first key of service accounts",
        pod="bootstrap-manifests/kube-controller-manager-pod.yaml",
        ours="bootstrap-manifests/kube-controller-manager-pod.yaml",
        objects=f"{NAMESPACE}openshift-infra|{NAMESPACE}openshift-kube-controller-manager*"
        f"|{SECRET}openshift-kube-controller-manager-operator/*|ClusterRole* system:openshift:controller:*"
        f"|{SECRET}openshift-config/initial-service-account-private-key",
    ),
    Operator(
        name="kube-scheduler",
        what="the scheduler: its pod",
        pod="bootstrap-manifests/kube-scheduler-pod.yaml",
        ours="bootstrap-manifests/kube-scheduler-pod.yaml",
        objects=f"{NAMESPACE}openshift-kube-scheduler*",
    ),
    Operator(
        name="machine-config",
        what="the machine-config operator: its pod, and what its controller renders the nodes from",
        pod="bootstrap/machineconfigoperator-bootstrap-pod.yaml",
        objects="ClusterRoleBinding system-bootstrap-node-bootstrapper"
        f"|{MAP}openshift-config/initial-kube-apiserver-server-ca",
    ),
)

BY_NAME = {operator.name: operator for operator in OPERATORS}


def owner(thing: str) -> Operator | None:
    """Whose work one of our objects stands for, if it is an operator's."""
    return next((operator for operator in OPERATORS if operator.objects and like(operator.objects, thing)), None)
