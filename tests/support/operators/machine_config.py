"""The real machine-config operator, controller and server, beside an API server that has all that bootkube.sh creates.

Nothing runs in containers: the operator's Deployment is said to be up, and its program is started here.
"""

from __future__ import annotations

import os
import subprocess
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hardway.checks.live.rendered import CONFIG_POOLS
from hardway.drive.client import Trouble, path
from hardway.workspace.folder import Workspace
from tests.support.operators import ground as operators
from tests.support.operators.ground import LOADER, Ground
from tests.support.waiting import until

MCO, SPACE = "machine-config-operator", "openshift-machine-config-operator"
CONTROLLER, SERVER = "machine-config-controller", "machine-config-server"
PODS = "/api/v1/pods"
SCC = "openshift.io/sa.scc"
RANGES = {f"{SCC}.uid-range": "1000/100", f"{SCC}.supplemental-groups": "1000/100", f"{SCC}.mcs": "s0:c1,c0"}
TOKEN = Path("/etc/mcs/bootstrap-token")  # where the server looks for it
ENTER = f'mount --make-rprivate / && mount --bind "$0" {TOKEN} && exec "$@"'


@dataclass
class Running:
    at: Ground
    folder: Path

    def names(self) -> dict[str, str]:
        """What each pool is to have, as the controller has rendered it."""
        found = self.at.api.items(CONFIG_POOLS)
        assert not isinstance(found, Trouble), found
        return {str(pool["metadata"]["name"]): str(pool["spec"].get("configuration", {}).get("name")) for pool in found}

    def secret(self, name: str) -> Path:
        """The content of a Secret, as a pod has it mounted."""
        place = self.folder / name
        place.mkdir(exist_ok=True)
        for key, value in self.at.secret(SPACE, name)["data"].items():
            (place / key).write_bytes(b64decode(value))
        return place


@contextmanager
def running(workspace: Workspace, folder: Path) -> Iterator[Running]:
    """Operator and controller; the pools are there."""
    with operators.control_plane(workspace, folder / "nodes") as at, ExitStack() as stack:
        found = Running(at, folder)
        payload = _payload(workspace)
        _create(at, payload)
        kubeconfig = _kubeconfig(at, folder)
        (folder / "images.json").write_text(_images(payload))
        version = f"--payload-version={at.cluster.release.version}"
        image = f"--operator-image={at.cluster.release.image_for(MCO)}"
        words = ["start", f"--images-json={folder / 'images.json'}", kubeconfig, version, image]
        stack.enter_context(_process(found, MCO, *words, "--metrics-listen-address=127.0.0.1:8787"))
        until(lambda: _deployed(at), (folder / f"{MCO}.log").read_text)
        words = ["start", kubeconfig, version, f"--resourcelock-namespace={SPACE}"]
        words.append(f"--templates={operators.program(MCO) / 'data/templates'}")
        stack.enter_context(_process(found, CONTROLLER, *words))
        until(lambda: "None" not in found.names().values(), (folder / f"{CONTROLLER}.log").read_text)
        yield found


@contextmanager
def server(found: Running) -> Iterator[None]:
    """On the first master."""
    tls = found.secret("machine-config-server-tls")
    words = [
        "start",
        f"--kubeconfig={found.folder / 'kubeconfig'}",
        f"--cert={tls / 'tls.crt'}",
        f"--key={tls / 'tls.key'}",
    ]
    words += [f"--apiserver-url=https://{found.at.cluster.api_int_host}:6443"]
    TOKEN.mkdir(parents=True)  # on this machine; in the server's own view the Secret is there
    try:
        with _process(found, SERVER, *words, space=found.at.nodes[found.at.cluster.masters[0].name].space):
            yield
    finally:
        TOKEN.rmdir()
        TOKEN.parent.rmdir()


def _payload(workspace: Workspace) -> list[dict[str, Any]]:
    """The operator's objects and the namespaces, as CVO would take them from the release that was read."""
    files = sorted((workspace.store.root / "release/manifests").glob("*.yaml"))
    bodies = [body for file in files for body in yaml.load_all(file.read_text(), LOADER) if body]
    return [b for b in bodies if b["kind"] == "Namespace" or b["metadata"].get("namespace") == SPACE]


def _create(at: Ground, payload: list[dict[str, Any]]) -> None:
    for body in operators.types():
        at.create(body)
    until(lambda: all(operators._established(row) for row in operators._types(at)))
    folders = [at.workspace.store.root / name for name in ("manifests", "openshift")]
    ours = [yaml.load(file.read_text(), LOADER) for folder in folders for file in sorted(folder.glob("*.y*ml"))]
    bodies = [*ours, *payload, *operators._settings()]
    for body in sorted(bodies, key=lambda b: b["kind"] != "Namespace"):
        if body["kind"] == "Namespace":
            body["metadata"]["annotations"] = {**(body["metadata"].get("annotations") or {}), **RANGES}
        if body["kind"] not in ("Deployment", "ServiceMonitor", "PrometheusRule"):
            at.create(body)
    operators._report(at)
    at.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "nobody"}})  # admission wants one, of no pool


def _images(payload: list[Mapping[str, Any]] | list[dict[str, Any]]) -> str:
    found = [body for body in payload if body["metadata"]["name"] == f"{MCO}-images"]
    return str(found[0]["data"]["images.json"])


def _kubeconfig(at: Ground, folder: Path) -> str:
    config = yaml.safe_load((at.workspace.store.root / "auth/kubeconfig").read_text())
    config["clusters"][0]["cluster"]["server"] = f"https://{at.cluster.bootstrap.address}:6443"
    config["clusters"][0]["cluster"]["tls-server-name"] = at.cluster.api_host
    (folder / "kubeconfig").write_text(yaml.safe_dump(config))
    return f"--kubeconfig={folder / 'kubeconfig'}"


@contextmanager
def _process(found: Running, name: str, *words: str, space: str = "") -> Iterator[None]:
    command = ["ip", "netns", "exec", space or found.at.nodes.hub, str(operators.program(MCO) / "bin" / name), *words]
    if name == SERVER:
        enter = ["unshare", "--mount", "sh", "-c", ENTER, str(found.secret("node-bootstrapper-token"))]
        command = [*enter, *command]
    environment = {**os.environ, "RELEASE_VERSION": found.at.cluster.release.version, "POD_NAME": name}
    with (found.folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _deployed(at: Ground) -> bool:
    """Says what a scheduler and a kubelet would say of the controller's pod: the operator waits for it."""
    pods = at.api.items(path(PODS, namespace=SPACE))
    assert not isinstance(pods, Trouble), pods
    for name in (str(pod["metadata"]["name"]) for pod in pods if not pod["spec"].get("nodeName")):
        target = {"kind": "Node", "name": at.cluster.masters[0].name}
        body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name}, "target": target}
        at.api.create(path(PODS, name, namespace=SPACE, sub="binding"), body)
        ready = {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
        at.api.patch(path(PODS, name, namespace=SPACE, sub="status"), ready)
    return bool(pods)
