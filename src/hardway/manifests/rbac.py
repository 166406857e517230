"""Who may do what before any operator is there to say so."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import CLUSTER_SCOPED, Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests.shapes import metadata
from hardway.model.cluster import Cluster
from hardway.model.why import because

RBAC = "rbac.authorization.k8s.io"
KUBELET_CALLER = "kube-apiserver"
MCO = source("machine-config-operator", "manifests/machineconfigserver")
KASO = source("cluster-kube-apiserver-operator", "bindata/bootkube/manifests")


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (_NODE_BOOTSTRAPPER, _KUBELET_ROLE, _KUBELET_BINDING)


def binding(name: str, role: str, subjects: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": metadata(name),
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": role},
        "subjects": subjects,
    }


def _node_bootstrapper(given: Given) -> dict[str, Any]:
    account = {"kind": "ServiceAccount", "name": "node-bootstrapper", "namespace": "openshift-machine-config-operator"}
    return binding("system-bootstrap-node-bootstrapper", "system:node-bootstrapper", [account])


def _kubelet_role(given: Given) -> dict[str, Any]:
    rule = {"apiGroups": [""], "resources": ["nodes/proxy"], "verbs": ["get", "create"]}
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": "ClusterRole",
        "metadata": metadata(KUBELET_CALLER),
        "rules": [rule],
    }


def _kubelet_binding(given: Given) -> dict[str, Any]:
    users = [{"apiGroup": RBAC, "kind": "User", "name": name} for name in ("kube-apiserver", "system:kube-apiserver")]
    return binding(KUBELET_CALLER, KUBELET_CALLER, users)


_NODE_BOOTSTRAPPER = Document(
    path="manifests/csr-bootstrap-role-binding.yaml",
    body=_node_bootstrapper,
    common=CLUSTER_SCOPED,
    reasons={
        "roleRef": because(
            "system:node-bootstrapper, a role of Kubernetes: it may create and read certificate signing requests, no "
            "more. Approving stays with a person, or with a program that the person starts."
        ),
        "subjects": because(
            "The account whose name and groups are in the certificate that every new kubelet starts with.",
            breaks="kubelets are authenticated but may not request certificates: cannot create resource "
            "certificatesigningrequests (F29)",
        ),
    },
    why=because(
        "Lets a machine that has only the bootstrap kubeconfig request a certificate of its own.",
        readers="the API server, for every kubelet's first request",
        breaks="no node can join (F29)",
        source=MCO,
    ),
)

_KUBELET_ROLE = Document(
    path="manifests/cluster-role-kube-apiserver.yaml",
    body=_kubelet_role,
    common=CLUSTER_SCOPED,
    reasons={
        "rules[].apiGroups": because("The core group, where nodes are."),
        "rules[].resources": because("The permission that a kubelet checks when its API is called: nodes/proxy."),
        "rules[].verbs": because("Reading logs is a get; exec, attach and port-forward are a create."),
    },
    why=because(
        "The right to call kubelets.",
        readers="kubelets, which check each caller with a SubjectAccessReview",
        breaks="logs, exec and port-forward end in: Forbidden (user=system:kube-apiserver, verb=get, resource=nodes)",
        source=KASO,
    ),
)

_KUBELET_BINDING = Document(
    path="manifests/cluster-role-binding-kube-apiserver.yaml",
    body=_kubelet_binding,
    common=CLUSTER_SCOPED,
    reasons={
        "roleRef": because("The role in cluster-role-kube-apiserver.yaml."),
        "subjects": because(
            "The user name in the API server's client certificate for kubelets, and its older form, kube-apiserver."
        ),
    },
    why=because(
        "Gives the right to call kubelets to the API server's own user.",
        readers="kubelets, which check each caller with a SubjectAccessReview",
        breaks="logs, exec and port-forward end in: Forbidden (user=system:kube-apiserver, verb=get, resource=nodes)",
        source=KASO,
    ),
)
