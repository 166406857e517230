"""A bootstrap node in a folder, on which the real bootkube.sh runs; `oc` and `curl` are stand-ins (fake_oc.py)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

SCRIPT = Path(str(files("hardway.ignition").joinpath("files/bootkube.sh")))
FAKE = Path(__file__).with_name("fake_oc.py")
HAND = (
    "openshift-etcd/etcd openshift-kube-apiserver/kube-apiserver kube-system/kube-controller-manager "
    "kube-system/kube-scheduler"
)
CORE = ("Namespace", "ConfigMap", "Secret")
MASTERS = ("master-0", "master-1", "master-2")
HERE: dict[str, Any] = {
    "nodes": dict.fromkeys(MASTERS, 0),
    "pods": {
        "openshift-kube-apiserver": {f"kube-apiserver-{name}": 0 for name in MASTERS},
        "openshift-etcd": {f"etcd-{name}": 0 for name in MASTERS},
        "kube-system": {f"kube-{what}-{name}": 0 for what in ("controller-manager", "scheduler") for name in MASTERS},
    },
}
"""A world in which the masters have been there all along, their control plane made by hand."""


def crd(kind: str) -> str:
    lead = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition"
    return f"{lead}\nmetadata:\n  name: {kind.lower()}s\nspec:\n  names:\n    kind: {kind}\n"


def thing(kind: str, name: str = "cluster", namespace: str = "", more: str = "") -> str:
    space = f"  namespace: {namespace}\n" if namespace else ""
    version = "v1" if kind in CORE else "config.openshift.io/v1"
    return f"apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: {name}\n{space}{more}"


MANIFESTS = {
    "crds/infrastructures.yaml": crd("Infrastructure"),
    "crds/versions.yaml": crd("ClusterVersion"),
    "manifests/a-settings.yaml": thing("ConfigMap", "settings", "openshift-config"),
    "manifests/cluster-infrastructure.yml": thing(
        "Infrastructure", more="spec: {}\nstatus:\n  apiServerURL: https://api\n"
    ),
    "manifests/cvo-overrides.yaml": thing("ClusterVersion", "version", more="spec:\n  overrides:\n  - kind: DNS\n"),
    "manifests/z-namespace.yaml": thing("Namespace", "openshift-config"),
    "openshift/99_ssh.yaml": thing("Secret", "kubeadmin", "kube-system"),
}


def environment(
    *, masters: tuple[str, ...] = MASTERS, needed: int = 2, hand: str = HAND, operators: str = "", tear_down: str = ""
) -> str:
    """bootkube.env of a cluster whose masters are made by hand, unless `operators` says otherwise."""
    said = {"MASTERS": " ".join(masters), "MASTERS_NEEDED": needed, "MADE_BY_HAND": hand}
    said |= {"MADE_BY_OPERATORS": operators, "TEAR_DOWN": tear_down}
    return "".join(f"{name}='{value}'\n" for name, value in said.items())


class Machine:
    """A bootstrap node in a folder."""

    def __init__(self, root: Path, world: dict[str, Any], manifests: dict[str, str] | None = None) -> None:
        self.root, self.state, self.programs = root / "root", root / "state", root / "bin"
        for name, text in (MANIFESTS if manifests is None else manifests).items():
            self._write(f"opt/openshift/{name}", text)
        self._write("opt/openshift/original_cvo_overrides.patch", '{"spec":{"overrides":null}}')
        self.environment(environment())
        self.state.mkdir()
        self.programs.mkdir()
        self.world(world)
        for name in ("oc", "curl"):
            program = self.programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{FAKE}" {name} "$@"\n')
            program.chmod(0o755)

    def _write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def environment(self, text: str) -> None:
        self._write("etc/hardway/bootkube.env", text)

    def world(self, world: dict[str, Any]) -> None:
        (self.state / "world.json").write_text(json.dumps(world))

    def put(self, *documents: dict[str, Any]) -> None:
        """Objects that somebody has made before."""
        found = {f"{d['kind']}/{d['metadata'].get('namespace', '')}/{d['metadata']['name']}": d for d in documents}
        (self.state / "objects.json").write_text(json.dumps(found))

    def run(self, limit: int = 20, *, space: str = "") -> subprocess.CompletedProcess[str]:
        limits = {f"BOOTKUBE_{name}_LIMIT": str(limit) for name in ("START", "STALL", "MASTERS", "FINISH")}
        environment = {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(Path(yaml.__file__).parents[1]),  # the stand-in starts often, and so without site
            "HARDWAY_ROOT": str(self.root),
            "FAKE_STATE": str(self.state),
            "BOOTKUBE_PAUSE": "0.01",
            **limits,
        }
        return subprocess.run(
            [*(["ip", "netns", "exec", space] if space else []), "bash", SCRIPT],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def calls(self) -> list[list[str]]:
        found: list[list[str]] = json.loads((self.state / "calls.json").read_text())
        return found

    @property
    def objects(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.state / "objects.json").read_text())
        return found

    def attempts(self) -> list[list[str]]:
        """The files of each call that creates any, in order."""
        calls = [call for call in self.calls if "create" in call and "--dry-run=client" not in call]
        named = [[Path(w.partition("=")[2]).name for w in call if w.startswith("--filename=")] for call in calls]
        return [names for names in named if names]

    def marked(self, name: str) -> bool:
        return (self.root / "opt/openshift/.bootkube" / name).exists()

    def finished(self) -> bool:
        return (self.root / "opt/openshift/.bootkube.done").exists()
