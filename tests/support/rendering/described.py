"""What two operators render whose programs cannot be had: described after their templates, not rendered.

cluster-kube-controller-manager-operator and cluster-kube-scheduler-operator, release-4.18, bindata/bootkube and
bindata/assets/config; pkg/cmd/render/render.go says how the arguments get into the pod.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from hardway.manifests.features import resolved
from hardway.model.cluster import Cluster
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.controller_manager import policy
from hardway.workspace.folder import open_workspace

SECRETS = "/etc/kubernetes/secrets"
MANAGEMENT = {"target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}'}
HOST = {
    "secrets": ("/etc/kubernetes/bootstrap-secrets", SECRETS),
    "config": ("/etc/kubernetes/bootstrap-configs", "/etc/kubernetes/config"),
    "etc-kubernetes-cloud": ("/etc/kubernetes/cloud", "/etc/kubernetes/cloud"),
    "ssl-certs-host": ("/etc/ssl/certs", "/etc/ssl/certs"),
    "logs": ("/var/log/bootstrap-control-plane", "/var/log/bootstrap-control-plane"),
}
POLICY_IMAGE = f"quay.io/example/release@sha256:{'0' * 64}"
_SEE = ["get", "list", "watch"]
_EVENTS = {"apiGroups": [""], "resources": ["events"], "verbs": ["create", "patch", "update"]}
_NAMESPACES = {"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get", "list", "update", "watch", "patch"]}
_BINDINGS = ["clusterroles", "clusterrolebindings", "roles", "rolebindings"]
SYNCERS: dict[str, list[dict[str, Any]]] = {
    "namespace-security-allocation-controller": [
        {
            "apiGroups": ["security.openshift.io", "security.internal.openshift.io"],
            "resources": ["rangeallocations"],
            "verbs": ["create", "get", "update"],
        },
        _NAMESPACES,
        _EVENTS,
    ],
    "podsecurity-admission-label-syncer-controller": [
        _NAMESPACES,
        _EVENTS,
        {"apiGroups": [""], "resources": ["serviceaccounts"], "verbs": _SEE},
        {"apiGroups": ["security.openshift.io"], "resources": ["securitycontextconstraints"], "verbs": _SEE},
        {"apiGroups": ["rbac.authorization.k8s.io"], "resources": _BINDINGS, "verbs": _SEE},
    ],
    "privileged-namespaces-psa-label-syncer": [
        {"apiGroups": [""], "resources": ["namespaces"], "verbs": _SEE},
        {
            "apiGroups": [""],
            "resourceNames": ["default", "kube-system", "kube-public"],
            "resources": ["namespaces"],
            "verbs": ["patch"],
        },
    ],
}


def describe(folder: Path) -> None:
    """Write both outputs into a cluster's folder."""
    cluster = open_workspace(folder).loaded.cluster
    assets = folder / "assets"
    _write(assets / "rendered/kube-controller-manager", "kube-controller-manager", _controller_manager(cluster))
    _write(assets / "rendered/kube-scheduler", "kube-scheduler", _scheduler(cluster))
    for name in ("infra", "kube-controller-manager", "kube-controller-manager-operator"):
        _namespace(assets, "kube-controller-manager", name)
    _namespace(assets, "kube-scheduler", "kube-scheduler")
    manifests = assets / "rendered/kube-controller-manager/manifests"
    _secrets(assets / "manifests", manifests)
    for name, rules in SYNCERS.items():
        _roles(manifests, name, rules)
    for name in ("kube-controller-manager", "kube-scheduler"):
        (assets / f"rendered/{name}/config").write_text("kind: Config\n")
    (assets / "rendered/kube-controller-manager/cpc-config").write_text(yaml.safe_dump(_policy(cluster)))


def _policy(cluster: Cluster) -> dict[str, Any]:
    """The default configuration of bindata/assets/config, with the overrides of bindata/bootkube/config."""
    enabled, disabled = resolved(cluster)
    client = f"{SECRETS}/kube-control-plane-kube-controller-manager-client"
    return {
        "apiVersion": "openshiftcontrolplane.config.openshift.io/v1",
        "kind": "OpenShiftControllerManagerConfig",
        "featureGates": [*(f"{name}=true" for name in enabled), *(f"{name}=false" for name in disabled)],
        "servingInfo": {
            "bindAddress": "127.0.0.1:10357",
            "bindNetwork": "tcp",
            "clientCA": f"{SECRETS}/kube-control-plane-ca-bundle.crt",
            "certFile": f"{client}.crt",
            "keyFile": f"{client}.key",
        },
    }


def _write(folder: Path, name: str, pod: dict[str, Any]) -> None:
    for sub in ("bootstrap-manifests", "manifests"):
        (folder / sub).mkdir(parents=True)
    (folder / f"bootstrap-manifests/{name}-pod.yaml").write_text(yaml.safe_dump(pod))


def _pod(name: str, component: str, containers: list[Any], volumes: list[str]) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "kube-system",
            "labels": {"openshift.io/control-plane": "true", "openshift.io/component": component},
            "annotations": {"openshift.io/run-level": "0"} | MANAGEMENT,
        },
        "spec": {
            "hostNetwork": True,
            "containers": containers,
            "volumes": [{"name": volume, "hostPath": {"path": HOST[volume][0]}} for volume in volumes],
        },
    }


def _field(name: str, path: str) -> dict[str, Any]:
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}


def _mounts(*names: str) -> list[dict[str, Any]]:
    return [{"name": n, "mountPath": HOST[n][1]} | ({} if n == "logs" else {"readOnly": True}) for n in names]


def _probe(port: int, delay: int, timeout: int, **get: Any) -> dict[str, Any]:
    asked = {"scheme": "HTTPS", "port": port, "path": "healthz"} | get
    return {"httpGet": asked, "initialDelaySeconds": delay, "timeoutSeconds": timeout}


def _container(name: str, image: str, command: list[str], args: list[str], **rest: Any) -> dict[str, Any]:
    return {
        "name": name,
        "image": image,
        "imagePullPolicy": "IfNotPresent",
        "command": command,
        "args": args,
        **rest,
    }


def _probes(port: int, **get: Any) -> dict[str, Any]:
    return {
        "startupProbe": _probe(port, 0, 3, **get),
        "readinessProbe": _probe(port, 10, 10, **get),
        "livenessProbe": _probe(port, 45, 10, **get),
    }


def _controller_manager(cluster: Cluster) -> dict[str, Any]:
    enabled, disabled = resolved(cluster)
    gates = [f"{name}=true" for name in enabled] + [f"{name}=false" for name in disabled]
    arguments = {
        "allocate-node-cidrs": ["false"],
        "authentication-kubeconfig": [f"{SECRETS}/kubeconfig"],
        "authorization-kubeconfig": [f"{SECRETS}/kubeconfig"],
        "cert-dir": ["/var/run/kubernetes"],
        "cloud-provider": ["external"],
        "cluster-cidr": [str(network.cidr) for network in cluster.cluster_networks],
        "cluster-signing-cert-file": [f"{SECRETS}/kubelet-signer.crt"],
        "cluster-signing-duration": ["720h"],
        "cluster-signing-key-file": [f"{SECRETS}/kubelet-signer.key"],
        "controllers": ["*", "-ttl", "-bootstrapsigner", "-tokencleaner"],
        "enable-dynamic-provisioning": ["true"],
        "feature-gates": gates,
        "flex-volume-plugin-dir": ["/etc/kubernetes/kubelet-plugins/volume/exec"],
        "kube-api-burst": ["300"],
        "kube-api-qps": ["150"],
        "leader-elect": ["true"],
        "leader-elect-renew-deadline": ["12s"],
        "leader-elect-resource-lock": ["leases"],
        "leader-elect-retry-period": ["3s"],
        "pv-recycler-pod-template-filepath-hostpath": [""],
        "pv-recycler-pod-template-filepath-nfs": [""],
        "root-ca-file": [f"{SECRETS}/kube-apiserver-complete-server-ca-bundle.crt"],
        "secure-port": ["10257"],
        "service-account-private-key-file": [f"{SECRETS}/service-account.key"],
        "service-cluster-ip-range": [str(network) for network in cluster.service_networks],
        "use-service-account-credentials": ["true"],
    }
    own = _container(
        "kube-controller-manager",
        cluster.release.image_for("hyperkube"),
        ["hyperkube", "kube-controller-manager"],
        [
            "--openshift-config=/etc/kubernetes/config/kube-controller-manager-config.yaml",
            f"--kubeconfig={SECRETS}/kubeconfig",
            "--v=2",
            *(f"--{name}={value}" for name, given in arguments.items() for value in given),
        ],
        ports=[{"containerPort": 10257}],
        resources={"requests": {"memory": "200Mi", "cpu": "60m"}},
        volumeMounts=_mounts(*HOST),
        **_probes(10257),
    )
    policy = _container(
        "cluster-policy-controller",
        POLICY_IMAGE,
        ["cluster-policy-controller", "start"],
        [
            "--config=/etc/kubernetes/config/cluster-policy-controller-config.yaml",
            f"--kubeconfig={SECRETS}/kubeconfig",
            "--namespace=$(POD_NAMESPACE)",
            "--v=2",
        ],
        env=[_field("POD_NAME", "metadata.name"), _field("POD_NAMESPACE", "metadata.namespace")],
        ports=[{"containerPort": 10357}],
        resources={"requests": {"memory": "200Mi", "cpu": "10m"}},
        volumeMounts=_mounts(*HOST),
        **_probes(10357, host="localhost"),
    )
    return _pod("bootstrap-kube-controller-manager", "controller-manager", [own, policy], list(HOST))


def _scheduler(cluster: Cluster) -> dict[str, Any]:
    kubeconfigs = ("kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig")
    own = _container(
        "kube-scheduler",
        cluster.release.image_for("hyperkube"),
        ["hyperkube", "kube-scheduler"],
        [
            *(f"--{name}={SECRETS}/kubeconfig" for name in kubeconfigs),
            "--leader-elect=true",
            "--cert-dir=/var/run/kubernetes",
            "--v=2",
        ],
        resources={"requests": {"memory": "50Mi", "cpu": "15m"}},
        volumeMounts=_mounts("secrets", "logs"),
    )
    return _pod("bootstrap-kube-scheduler", "scheduler", [own], ["secrets", "logs"])


def _namespace(assets: Path, operator: str, name: str) -> None:
    file = f"0000_00_namespace-openshift-{name}.yaml"
    (assets / f"rendered/{operator}/manifests/{file}").write_text((assets / f"manifests/{file}").read_text())


def _secrets(ours: Path, theirs: Path) -> None:
    """Both are templates around files that we have made; one has no label, the other no type."""
    for name in ("secret-csr-signer-signer", "secret-initial-kube-controller-manager-service-account-private-key"):
        body = yaml.safe_load((ours / f"{name}.yaml").read_text())
        body["metadata"].pop("labels", None)
        if body["type"] == "Opaque":
            del body["type"]
        (theirs / f"{name}.yaml").write_text(yaml.safe_dump(body))


def _roles(folder: Path, account: str, rules: list[dict[str, Any]]) -> None:
    group, name = "rbac.authorization.k8s.io", f"system:openshift:controller:{account}"
    updated = {"annotations": {"rbac.authorization.kubernetes.io/autoupdate": "true"}}
    about = {"name": name} | ({} if account.startswith("privileged-") else updated)
    bound = {
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": "openshift-infra"}],
    }
    for kind, rest in (("ClusterRole", {"rules": rules}), ("ClusterRoleBinding", bound)):
        body = {"apiVersion": f"{group}/v1", "kind": kind, "metadata": about, **rest}
        (folder / f"00_{account}-{kind.lower()}.yaml").write_text(yaml.safe_dump(body))


def police(folder: Path) -> None:
    """Our controller-manager's pod as it is once the release has been read: the catalogue lacks the image."""
    cluster = open_workspace(folder).loaded.cluster
    images = {**cluster.release.images, policy.IMAGE: POLICY_IMAGE}
    known = replace(cluster, release=replace(cluster.release, images=images))
    path = folder / "assets/bootstrap-manifests/kube-controller-manager-pod.yaml"
    path.write_text(yaml.safe_dump(controller_manager.pod(known, known.bootstrap)))


def by_hand(folder: Path) -> None:
    """Our policy controller's file as it is where the masters' API servers are made by hand."""
    cluster = replace(open_workspace(folder).loaded.cluster, operators=())
    path = folder / "assets/bootstrap-configs/cluster-policy-controller-config.yaml"
    path.write_text(yaml.safe_dump(policy.config(cluster)))


def newer(folder: Path) -> None:
    """The constraint and the role that later releases of the line have in addition."""
    manifests = folder / "assets/rendered/kube-apiserver/manifests"
    older = "hostmount-anyuid"
    for kind in ("scc", "cr-scc"):
        file = f"0000_20_kube-apiserver-operator_00_{kind}-{older}"
        text = (manifests / f"{file}.yaml").read_text()
        (manifests / f"{file}-v2.yaml").write_text(text.replace(older, f"{older}-v2"))
