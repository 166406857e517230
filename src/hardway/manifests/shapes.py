"""The few shapes that most documents share."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from hardway.emit.document import CLUSTER_SCOPED, UNSET_TIME
from hardway.lines.sources import source

CONFIG = (*CLUSTER_SCOPED, *UNSET_TIME)
"""The common fields of an object without a namespace that Go wrote."""

INSTALLER = source("installer", "")
MANIFESTS = INSTALLER + "pkg/asset/manifests/"

OWNER = "openshift.io/owning-component"


def base64(content: bytes) -> str:
    return b64encode(content).decode()


def metadata(
    name: str,
    namespace: str = "",
    *,
    annotations: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    said: dict[str, Any] = {"name": name}
    if namespace:
        said["namespace"] = namespace
    if annotations:
        said["annotations"] = dict(annotations)
    if labels:
        said["labels"] = dict(labels)
    return said


def config_map(about: dict[str, Any], data: Mapping[str, str]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about, "data": dict(data)}


def secret(about: dict[str, Any], data: Mapping[str, bytes], kind: str = "Opaque") -> dict[str, Any]:
    """A Secret; its values are written in base64, as the API wants them."""
    encoded = {key: base64(value) for key, value in data.items()}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": about, "type": kind, "data": encoded}


def config(kind: str, spec: Mapping[str, Any], status: Mapping[str, Any]) -> dict[str, Any]:
    """One of the cluster's own settings: config.openshift.io, not in a namespace, always called cluster."""
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": kind,
        "metadata": {"creationTimestamp": None, "name": "cluster"},
        "spec": dict(spec),
        "status": dict(status),
    }
