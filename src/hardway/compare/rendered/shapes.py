"""The shapes that are relied on when documents are read: one that has another is refused, by its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_TEXTS = {"*": None}
_PROBE = {"httpGet": {"path!": str}}
_CONTAINER = {
    "name!": str,
    "command": [None],
    "args": [None],
    "env": [{"name!": str}],
    "volumeMounts": [{"name!": str, "mountPath!": str}],
    "ports": [{"containerPort!": int}],
    "startupProbe": _PROBE,
    "readinessProbe": _PROBE,
    "livenessProbe": _PROBE,
}
OBJECT: dict[str, Any] = {
    "kind!": str,
    "metadata!": {"name!": str, "annotations": _TEXTS, "labels": _TEXTS},
    "data": _TEXTS,
}
POD: dict[str, Any] = {
    "kind!": str,
    "metadata!": {"annotations": _TEXTS, "labels": _TEXTS},
    "spec!": {
        "containers!": [_CONTAINER],
        "initContainers": [_CONTAINER],
        "volumes": [{"name!": str, "hostPath": {"path!": str}}],
    },
}
CONFIG: dict[str, Any] = {
    "apiServerArguments": {"*": [None]},
    "servingInfo": {"namedCertificates": [{"names": [str]}], "cipherSuites": [str]},
    "corsAllowedOrigins": [str],
    "auditConfig": {"policyConfiguration": {"rules": [{"resources": [{"resources": [str]}]}]}},
}
POLICY: dict[str, Any] = {"rules!": [{"resources": [{"resources": [str]}]}]}
CONTROLLERS: dict[str, Any] = {"controllers": [str], "featureGates": [str], "servingInfo": {}}
REQUIRED = "!"


def misfits(value: Any, shape: Any, place: str = "") -> Iterator[str]:
    """The places where a document has another shape; what is left out is fine, unless it is required."""
    if shape is None or (value is None and place):
        return
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            yield place or "the document"
            return
        for key, inner in shape.items():
            yield from _field(value, key, inner, place)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield place
            return
        for index, item in enumerate(value):
            yield from misfits(item, shape[0], f"{place}[{index}]") if item is not None else [f"{place}[{index}]"]
    elif not isinstance(value, shape) or isinstance(value, bool):
        yield place


def _field(value: Mapping[str, Any], key: str, shape: Any, place: str) -> Iterator[str]:
    name = key.removesuffix(REQUIRED)
    if name == "*":
        for each in value:
            yield from misfits(value[each], shape, f"{place}.{each}")
    elif value.get(name) is not None:
        yield from misfits(value[name], shape, f"{place}.{name}" if place else name)
    elif key.endswith(REQUIRED):
        yield f"{place}.{name}" if place else name
