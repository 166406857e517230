"""The converted and defaulted file as the installer would write it again: its names, its order, its idea of empty."""

from __future__ import annotations

from typing import Any

from hardway.model.config.addresses import Interface
from hardway.model.config.table import Shape


def marshal(values: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """A plain document in alphabetical order. What is empty is left out, but for what Go always writes."""
    document = _mapping(values, shape)
    document["metadata"] = {"creationTimestamp": None} | document["metadata"]
    document["platform"] = {"none": {}}
    for pool in (document["controlPlane"], *document["compute"]):
        pool["platform"] = {}
    if "bootstrapInPlace" in document:
        document["bootstrapInPlace"].setdefault("installationDisk", "")
    ordered: dict[str, Any] = _ordered(document)
    return ordered


def _mapping(values: dict[str, Any], shape: Shape) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for name, value in values.items():
        child = shape.children[name]
        plain = _plain(value, child)
        always = child.kind == "mapping" or name == "replicas"  # pointers in Go: there or not, even when empty or zero
        if plain or always:
            written[name] = plain
    return written


def _plain(value: Any, shape: Shape) -> Any:
    if shape.kind == "mapping":
        return _mapping(value, shape)
    if shape.kind == "list":
        return [_plain(item, shape.children["[]"]) for item in value]
    if shape.kind == "cidr":
        network: Interface = value
        return str(network.network)
    return value


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list) else value
