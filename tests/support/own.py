"""Documents of a user's own, as texts."""

from __future__ import annotations

from typing import Any

import yaml

from hardway.lines.default import DEFAULT
from hardway.model.own.document import Own
from hardway.model.own.load import load_own
from hardway.model.problem import Problem

ROLE = "machineconfiguration.openshift.io/role"


def config_map(name: str = "a", namespace: str = "default", **data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data}


def machine_config(name: str = "50-motd", role: str = "worker", text: str = "hello", **spec: Any) -> dict[str, Any]:
    files = [{"path": "/etc/motd.d/own", "mode": 420, "contents": {"source": f"data:,{text}"}}]
    config = {"ignition": {"version": "3.2.0"}, "storage": {"files": files}}
    return {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfig",
        "metadata": {"name": name, "labels": {ROLE: role}},
        "spec": {"config": config, **spec},
    }


def text(*documents: dict[str, Any]) -> str:
    return yaml.safe_dump_all(documents, sort_keys=False)


def read(**files: str) -> tuple[tuple[Own, ...], list[Problem]]:
    """Files by the stems of their names."""
    return load_own({f"{name}.yaml": content.encode() for name, content in files.items()}, "c/manifests", DEFAULT)


def documents(**files: str) -> tuple[Own, ...]:
    found, problems = read(**files)
    assert problems == []
    return found
