"""Where a pod's files are: the folders it sees, the folders they come from, and which files it reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hardway.model.cluster import Node

SECRETS = "/etc/kubernetes/secrets"
CONFIG = "/etc/kubernetes/config"
ETCD_TLS = "/etc/ssl/etcd"
ETCD_DATA = "/var/lib/etcd"
AUDIT_LOG = "/var/log/kube-apiserver"
CERT_DIR = "/var/run/kubernetes"
KUBECONFIG = "/etc/kubernetes/kubeconfig"
KUBE_PROXY = "/etc/kubernetes/static-pod-resources/kube-proxy"
ETCD_MEMBER = "/etc/kubernetes/static-pod-resources/etcd-member"


def _lead(node: Node) -> str:
    return "bootstrap-" if node.role == "bootstrap" else "static-pod-resources/"


def secrets_of(node: Node) -> str:
    """The host's folder of keys and certificates for the API server and its companions."""
    return f"/etc/kubernetes/{_lead(node)}secrets"


def config_of(node: Node) -> str:
    return f"/etc/kubernetes/{_lead(node)}configs"


def secret(file: str) -> str:
    return f"{SECRETS}/{file}"


def etcd_file(kind: str, node: Node, ending: str) -> str:
    """A member's own certificate or key, as etcd's container sees it."""
    return f"{ETCD_TLS}/etcd-all-certs/etcd-{kind}-{node.name}.{ending}"


def host_files(pod: Mapping[str, Any]) -> set[str]:
    """The host's files that a pod reads: every path on its command lines and in its environment that lies in a
    read-only mount of a host path."""
    spec = pod["spec"]
    sources = {v["name"]: v["hostPath"]["path"] for v in spec.get("volumes", ()) if "hostPath" in v}
    containers = (*spec.get("initContainers", ()), *spec["containers"])
    return {file for container in containers for file in _read_by(container, sources)}


def _read_by(container: Mapping[str, Any], sources: Mapping[str, str]) -> Iterator[str]:
    mounts = {
        m["mountPath"].rstrip("/"): sources[m["name"]].rstrip("/")
        for m in container.get("volumeMounts", ())
        if m.get("readOnly") and m["name"] in sources
    }
    for path in _named_by(container):
        around = [m for m in mounts if path == m or path.startswith(f"{m}/")]
        if around:
            mount = max(around, key=len)
            yield mounts[mount] + path[len(mount) :]


def _named_by(container: Mapping[str, Any]) -> Iterator[str]:
    """Absolute paths in a container's words; `=`, `,` and `:` join several in one flag, `//` begins a URL's host."""
    values = (str(e.get("value", "")) for e in container.get("env", ()))
    for word in (*container.get("command", ()), *container.get("args", ()), *values):
        yield from (part for part in re.split(r"[=,:\s]", word) if part.startswith("/") and not part.startswith("//"))
