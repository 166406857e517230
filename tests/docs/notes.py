"""What the notes say, in forms that can be tried, and the tools to try them with."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.table import TABLE
from hardway.model.check import run
from tests.support.clusters import PULL_SECRET, SSH_KEY
from tests.support.entropy import NOW

INSTALLER_OUTPUT = Path(__file__).parents[1] / "data" / "installer-output" / "3+2.json"

INSTALL_CONFIG: dict[str, Any] = {
    "apiVersion": "v1",
    "baseDomain": "example.com",
    "metadata": {"name": "ocp4"},
    "networking": {
        "networkType": "OVNKubernetes",
        "clusterNetwork": [{"cidr": "10.128.0.0/14", "hostPrefix": 23}],
        "serviceNetwork": ["172.30.0.0/16"],
        "machineNetwork": [{"cidr": "192.168.126.0/24"}],
    },
    "platform": {"none": {}},
    "controlPlane": {"replicas": 3},
    "compute": [{"replicas": 2}],
    "pullSecret": PULL_SECRET,
    "sshKey": SSH_KEY,
}
"""The sample of the notes: its compute pool has no name."""


def found_by(world: Artifacts) -> dict[str, list[str]]:
    """Which checks find something, and on what, once the notes' form is in place."""
    world.__dict__.pop("documents", None)
    world._made.clear()
    found: dict[str, list[str]] = {}
    for finding in run(TABLE, world).findings:
        found.setdefault(finding.check, []).append(f"{finding.subject}: {finding.message}")
    return found


def edit(world: Artifacts, path: str, change: Callable[[Any], object]) -> None:
    file = world.root / path
    document = yaml.safe_load(file.read_text())
    change(document)
    file.write_text(yaml.safe_dump(document))


def edit_ignition(world: Artifacts, node: str, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the list of files of a node."""
    path = world.root / f"{node}.ign"
    document = json.loads(path.read_text())
    change(document["storage"]["files"])
    path.write_text(json.dumps(document))


def drop(*paths: str) -> Callable[[list[dict[str, Any]]], object]:
    def change(files: list[dict[str, Any]]) -> None:
        files[:] = [f for f in files if f["path"] not in paths]

    return change


def entry(path: str, content: bytes, mode: int = 384) -> dict[str, Any]:
    source = "data:text/plain;charset=utf-8;base64," + b64encode(content).decode()
    return {"path": path, "mode": mode, "overwrite": True, "contents": {"source": source}}


def replace_flag(world: Artifacts, path: str, old: str, new: str) -> None:
    """Replace a text in a static pod, in its own file and in the bootstrap node's Ignition."""
    file = world.root / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    on_node = f"/etc/kubernetes/manifests/{file.name}"
    edit_ignition(world, "bootstrap", drop(on_node))
    edit_ignition(world, "bootstrap", lambda files: files.append(entry(on_node, file.read_bytes())))


def openssl_accepts(world: Artifacts, certificate: str, *, trust: str, options: tuple[str, ...] = ()) -> bool:
    """What the real program says of a certificate at the time when the tree was made."""
    at = ("-attime", str(int(NOW.timestamp())))
    command = ["openssl", "verify", *at, *options, "-CAfile", f"tls/{trust}.crt", f"tls/{certificate}.crt"]
    return subprocess.run(command, cwd=world.root, capture_output=True, check=False).returncode == 0


@cache
def installer() -> dict[str, Any]:
    """What openshift-install 4.18 wrote for the same cluster."""
    found: dict[str, Any] = json.loads(INSTALLER_OUTPUT.read_text())
    return found


def installer_paths() -> set[str]:
    return {f["path"] for f in installer()["files"]}
