"""The payload's manifests of our own: namespaces, types that others would bring, and the lab's operator."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from hardway.emit import yaml
from hardway.graph.asset import Given
from hardway.labrelease.images.table import Set
from hardway.labrelease.operator import table
from hardway.manifests import namespaces
from hardway.model.cluster import PROFILE

EVERYWHERE = {PROFILE: "true"}
# The API server asks this of every type in a group of Kubernetes' own, and takes no for an answer.
UNAPPROVED = {"api-approved.kubernetes.io": "unapproved, an open stand-in for a type of the storage migrator's"}
NAMESPACE = "openshift-hardway-lab"
NAME = "hardway-lab-operator"
# Into which the ingress and the network operator put their CredentialsRequests.
CREDENTIALS = "openshift-cloud-credential-operator"
SECONDS = 10  # for which it stays with a master that does not answer
RBAC = "rbac.authorization.k8s.io"
# Those that a real operator of the set reports on.
REAL: dict[Set, tuple[str, ...]] = {"core": (), "operators": ("etcd", "kube-apiserver")}
# Whose work the lab's operator does where nobody else does it.
STANDS_IN: dict[Set, tuple[str, ...]] = {"core": (table.SERVICE_CA,), "operators": ()}
# Types that manifests of the components use and that operators outside the lab would bring.
TYPES = (
    ("monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors", "Namespaced"),
    ("monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules", "Namespaced"),
    ("cloudcredential.openshift.io", "v1", "CredentialsRequest", "credentialsrequests", "Namespaced"),
    ("migration.k8s.io", "v1alpha1", "StorageVersionMigration", "storageversionmigrations", "Cluster"),
)

Body = dict[str, Any]


def manifests(chosen: Set, *, images: Mapping[str, str], version: str, others: Collection[str] = ()) -> dict[str, str]:
    """By file name. CVO goes by the number in the name: namespaces and types first, what is waited for last. `others`
    are ClusterOperators that a component from a checkout reports on."""
    found: dict[str, Body] = {}
    credentials = {"apiVersion": "v1", "kind": "Namespace", "metadata": _about(CREDENTIALS)}
    for row in [*_namespaces(), _own_namespace(), credentials]:
        found[f"0000_00_hardway-lab_00_namespace-{row['metadata']['name']}.yaml"] = row
    for row in _types():
        found[f"0000_00_hardway-lab_01_{row['spec']['names']['plural']}.crd.yaml"] = row
    for number, row in enumerate(_operator(chosen, images[NAME], version, others)):
        found[f"0000_90_hardway-lab_{number:02}_{row['kind'].lower()}.yaml"] = row
    for name in reported(chosen, others):
        found[f"0000_90_hardway-lab_10_clusteroperator-{name}.yaml"] = _cluster_operator(name, version)
    return {name: yaml.dump(body) for name, body in found.items()}


def reported(chosen: Set, others: Collection[str] = ()) -> tuple[str, ...]:
    """The ClusterOperators that the lab's operator looks after."""
    return tuple(name for name in table.names() if name not in (*REAL[chosen], *others))


def _about(name: str, namespace: str = "", **labels: str) -> Body:
    about: Body = {"name": name, "annotations": dict(EVERYWHERE)}
    return about | ({"namespace": namespace} if namespace else {}) | ({"labels": labels} if labels else {})


def _namespaces() -> list[Body]:
    """Those that the cluster's manifests put objects into; the bootstrap node has made the same ones before."""
    bodies = [
        dict(document.body(cast(Given, None))) for document in namespaces.DOCUMENTS
    ]  # of no cluster's in particular
    for body in bodies:
        body["metadata"] = {**body["metadata"], "annotations": body["metadata"].get("annotations", {}) | EVERYWHERE}
    return bodies


def _own_namespace() -> Body:
    labels = {namespaces.RUN_LEVEL: "0", **dict.fromkeys(namespaces.POD_SECURITY, "privileged")}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": _about(NAMESPACE) | {"labels": labels}}


def _types() -> list[Body]:
    """Open ones: whatever an object of the type says is kept, and nobody acts on it."""
    return [_type(*row) for row in TYPES]


def _type(group: str, version: str, kind: str, plural: str, scope: str) -> Body:
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    served = {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    about = _about(f"{plural}.{group}")
    about["annotations"] |= UNAPPROVED if group.endswith(".k8s.io") else {}
    names = {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": about,
        "spec": {"group": group, "names": names, "scope": scope, "versions": [served]},
    }


def _operator(chosen: Set, image: str, version: str, others: Collection[str]) -> list[Body]:
    subject = {"kind": "ServiceAccount", "name": NAME, "namespace": NAMESPACE}
    role = {"apiGroup": RBAC, "kind": "ClusterRole", "name": NAME}
    binding = {"metadata": _about(NAME), "roleRef": role, "subjects": [subject]}
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": _about(NAME, NAMESPACE)},
        {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRole", "metadata": _about(NAME), "rules": _rules(chosen)},
        {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRoleBinding", **binding},
        _deployment(chosen, image, version, others),
    ]


def _rules(chosen: Set) -> list[Body]:
    config = "config.openshift.io"
    certificates = [
        {"apiGroups": [""], "resources": ["services"], "verbs": ["list"]},
        {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "create"]},
    ]
    return [
        *(certificates if table.SERVICE_CA in STANDS_IN[chosen] else ()),
        {"apiGroups": [""], "resources": ["nodes", "pods"], "verbs": ["get", "list"]},
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["patch"]},
        {"apiGroups": [config], "resources": ["schedulers"], "verbs": ["get"]},
        {"apiGroups": [config], "resources": ["clusteroperators"], "verbs": ["get", "create"]},
        {"apiGroups": [config], "resources": ["clusteroperators/status"], "verbs": ["patch"]},
        {"nonResourceURLs": ["/readyz/*"], "verbs": ["get"]},
    ]


def _deployment(chosen: Set, image: str, version: str, others: Collection[str]) -> Body:
    labels = {"app": NAME}
    container = {
        "name": NAME,
        "image": image,
        "args": [*STANDS_IN[chosen], *reported(chosen, others)],
        "env": [{"name": "OPERATOR_IMAGE_VERSION", "value": version}],
        "resources": {"requests": {"cpu": "10m", "memory": "30Mi"}},
        "terminationMessagePolicy": "FallbackToLogsOnError",
    }
    pod = {
        "serviceAccountName": NAME,
        "hostNetwork": True,  # it has to report on the pod network too, also while there is none
        "nodeSelector": {"node-role.kubernetes.io/master": ""},
        "priorityClassName": "system-cluster-critical",
        "tolerations": _tolerations(),
        "containers": [container],
    }
    spec = {
        "replicas": 1,
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": _about(NAME, NAMESPACE), "spec": spec}


def _tolerations() -> list[Body]:
    """It runs on masters whatever they are like, but moves on from one that has gone for more than a moment."""
    gone = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
    leaves = [{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": SECONDS} for key in gone]
    return [{"operator": "Exists", "effect": "NoSchedule"}, *leaves]


def _cluster_operator(name: str, version: str) -> Body:
    """CVO waits until the cluster has one of this name, Available, that names this version."""
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterOperator",
        "metadata": _about(name),
        "spec": {},
        "status": {"versions": [{"name": "operator", "version": version}]},
    }
