"""What two operators render whose programs cannot be had: described after their templates, not rendered.

cluster-kube-controller-manager-operator and cluster-kube-scheduler-operator, release-4.18, bindata/bootkube and
bindata/assets/config; pkg/cmd/render/render.go says how the arguments get into the pod.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from hardway.manifests.features import resolved
from hardway.model.cluster import Cluster
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
SYNCERS = (
    "namespace-security-allocation-controller",
    "podsecurity-admission-label-syncer-controller",
    "privileged-namespaces-psa-label-syncer",
)


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
    for name in SYNCERS:
        _roles(manifests, f"system:openshift:controller:{name}")
    for name in ("config", "cpc-config"):
        (assets / "rendered/kube-controller-manager" / name).write_text("kind: Config\n")
    (assets / "rendered/kube-scheduler/config").write_text("kind: Config\n")


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
        "quay.io/example/release:cluster-policy-controller",
        ["cluster-policy-controller", "start"],
        ["--config=/etc/kubernetes/config/cluster-policy-controller-config.yaml", "--v=2"],
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


def _roles(folder: Path, name: str) -> None:
    for kind in ("ClusterRole", "ClusterRoleBinding"):
        body = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": {"name": name}}
        (folder / f"00_{name.rpartition(':')[2]}-{kind.lower()}.yaml").write_text(yaml.safe_dump(body))
