"""cluster-policy-controller as a Deployment. OpenShift has it beside the controller-manager, whose operator
brings its configuration, accounts and roles; that one is not to be had.

An API server that its operator makes admits no pod into a namespace without a range of user ids, and refuses to show
the nodes' own pods in a namespace that it takes for restricted: this program gives the ranges and the labels.
"""

from __future__ import annotations

from typing import Any

from hardway.emit import yaml

NAME, INFRA = "cluster-policy-controller", "openshift-infra"
RBAC, SECURITY = "rbac.authorization.k8s.io", "security.openshift.io"
FILE = "config.yaml"
_SEE = ["get", "list", "watch"]
_EVENTS = {"apiGroups": ["", "events.k8s.io"], "resources": ["events"], "verbs": ["create", "patch", "update"]}
_NAMESPACES = {"apiGroups": [""], "resources": ["namespaces"], "verbs": [*_SEE, "patch", "update"]}
_RANGES = {
    "apiGroups": ["security.internal.openshift.io"],
    "resources": ["rangeallocations"],
    "verbs": [*_SEE, "create", "update"],
}

CONTROLLERS = {
    "namespace-security-allocation": "namespace-security-allocation-controller",
    "podsecurity-admission-label-syncer": "podsecurity-admission-label-syncer-controller",
    "privileged-namespaces-psa-label-syncer": "privileged-namespaces-psa-label-syncer",
}
"""Those that run, by the account that each works under. Quota and the approval of requests are left out: the lab has no
quotas, and requests are approved by plan."""

Body = dict[str, Any]


def manifests(namespace: str, image: str, annotations: Body) -> list[Body]:
    """In the order in which they are of use."""

    def about(name: str, where: str = "") -> Body:
        found: Body = {"name": name, "annotations": dict(annotations)}
        return found | ({"namespace": where} if where else {})

    def role(name: str, where: str, rules: list[Body]) -> list[Body]:
        reference = {"apiGroup": RBAC, "kind": "ClusterRole", "name": f"hardway-lab:{name}"}
        subject = {"kind": "ServiceAccount", "name": name, "namespace": where}
        titled = {"apiVersion": f"{RBAC}/v1", "metadata": about(f"hardway-lab:{name}")}
        return [
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": about(name, where)},
            {**titled, "kind": "ClusterRole", "rules": rules},
            {**titled, "kind": "ClusterRoleBinding", "roleRef": reference, "subjects": [subject]},
        ]

    return [
        *role(NAME, namespace, _own_rules()),
        _reader(namespace, about("hardway-lab-policy-reader", "kube-system")),
        *(body for name in CONTROLLERS.values() for body in role(name, INFRA, [_NAMESPACES, _RANGES, _EVENTS])),
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about(NAME, namespace), "data": {FILE: _configuration()}},
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": about(NAME, namespace), "spec": _deployment(image)},
    ]


def _reader(namespace: str, about: Body) -> Body:
    """Every server asks the API server whom it may believe, before it serves its own health."""
    role = {"apiGroup": RBAC, "kind": "Role", "name": "extension-apiserver-authentication-reader"}
    subject = {"kind": "ServiceAccount", "name": NAME, "namespace": namespace}
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": "RoleBinding",
        "metadata": about,
        "roleRef": role,
        "subjects": [subject],
    }


def _own_rules() -> list[Body]:
    """To look, and to ask for the tokens of the accounts that do the work."""
    accounts = {"apiGroups": [""], "resources": ["serviceaccounts"], "verbs": [*_SEE, "create"]}
    tokens = {"apiGroups": [""], "resources": ["serviceaccounts/token"], "verbs": ["create"]}
    bindings = ["roles", "rolebindings", "clusterroles", "clusterrolebindings"]
    return [
        {"apiGroups": [""], "resources": ["namespaces", "pods", "configmaps"], "verbs": _SEE},
        {"apiGroups": ["apps"], "resources": ["replicasets", "deployments"], "verbs": _SEE},
        accounts,
        tokens | {"resourceNames": list(CONTROLLERS.values())},
        {"apiGroups": [RBAC], "resources": bindings, "verbs": _SEE},
        {"apiGroups": [SECURITY], "resources": ["securitycontextconstraints"], "verbs": _SEE},
        {"apiGroups": ["config.openshift.io"], "resources": ["infrastructures"], "verbs": _SEE},
        {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get", "create", "update"]},
        {"apiGroups": ["authentication.k8s.io"], "resources": ["tokenreviews"], "verbs": ["create"]},
        {"apiGroups": ["authorization.k8s.io"], "resources": ["subjectaccessreviews"], "verbs": ["create"]},
        {"nonResourceURLs": ["/healthz"], "verbs": ["get"]},
        _EVENTS,
    ]


def _configuration() -> str:
    return yaml.dump(
        {
            "apiVersion": "openshiftcontrolplane.config.openshift.io/v1",
            "kind": "OpenShiftControllerManagerConfig",
            "controllers": [f"openshift.io/{name}" for name in CONTROLLERS],
            "leaderElection": {"name": f"{NAME}-lock"},
            "servingInfo": {"bindAddress": "127.0.0.1:10357", "bindNetwork": "tcp"},
        }
    )


def _deployment(image: str) -> Body:
    labels = {"app": NAME}
    settings = {"name": "config", "mountPath": "/etc/hardway", "readOnly": True}
    names = (("POD_NAME", "metadata.name"), ("POD_NAMESPACE", "metadata.namespace"))
    container = {
        "name": NAME,
        "image": image,
        "command": [NAME, "start", f"--config=/etc/hardway/{FILE}", "-v=2"],
        "env": [{"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}} for name, path in names],
        "resources": {"requests": {"cpu": "10m", "memory": "50Mi"}},
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [settings],
    }
    pod = {
        "serviceAccountName": NAME,
        "nodeSelector": {"node-role.kubernetes.io/master": ""},
        "priorityClassName": "system-cluster-critical",
        "tolerations": [{"operator": "Exists", "effect": "NoSchedule"}],
        "containers": [container],
        "volumes": [{"name": "config", "configMap": {"name": NAME}}],
    }
    return {
        "replicas": 1,
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
