"""Stand-ins for machines with a kubelet: static pods run from the manifest folder, nodes join by certificate requests.

What is real: etcd, the API servers, the controller-managers and schedulers, the requests and who signs them, HAProxy,
bootkube.sh. What is not: containers. A node's state is told to the API by its stand-in, as the kubelet would.
"""

from __future__ import annotations

import os
import subprocess
import threading
from base64 import b64decode
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hardway.drive.access import read_kubeconfig
from hardway.drive.client import Client, Object, Trouble, path
from hardway.drive.csr.approve import CSRS
from hardway.drive.machines import Backend
from hardway.model.cluster import Node
from hardway.network.haproxy.runtime import OUT, servers, take_out
from hardway.tools.run import Done
from hardway.workspace.folder import Workspace
from tests.support.node_roots import NodeRoot, Nodes, program, read_pod
from tests.support.requests import CLIENT, SERVING, new_key, pem, spec

MANIFESTS = "etc/kubernetes/manifests"
KNOWN = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
PAUSE = 0.5


@dataclass
class Machine:
    """One node: on from `start` to `stop`, with a thread that does what its kubelet would."""

    workspace: Workspace
    root: NodeRoot
    over: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None
    joined: Client | None = None
    pods: dict[str, Path] = field(default_factory=dict)  # manifest by program

    @property
    def node(self) -> Node:
        return self.root.node

    def start(self) -> None:
        if self.thread is None:
            self.over.clear()
            self.thread = threading.Thread(target=self._live, daemon=True)
            self.thread.start()

    def stop(self) -> None:
        self.over.set()
        if self.thread is not None:
            self.thread.join()
            self.thread = None
        for name in list(self.root.processes):
            self.root.stop(name, kill=True)
        self.pods.clear()

    def _live(self) -> None:
        while not self.over.wait(PAUSE):
            with suppress(FileNotFoundError):  # somebody takes a pod away just now: the next look will see it
                self._run_pods()
            if self.node.role != "bootstrap":
                self._join() if self.joined is None else self._tell()

    def _run_pods(self) -> None:
        wanted = {_program(file): file for file in (self.root.root / MANIFESTS).glob("*.yaml")}
        wanted.pop("", None)
        for name in set(self.pods) - set(wanted):
            self.root.stop(name)
            del self.pods[name]
        for name, file in wanted.items():
            process = self.root.processes.get(name)
            if process is None or process.poll() is not None:
                self.root.start(read_pod(file.read_bytes()))
                self.pods[name] = file

    def _client(self, **identity: Any) -> Client:
        cluster = self.workspace.loaded.cluster
        text = (self.workspace.store.root / "auth/kubelet-bootstrap.kubeconfig").read_text()
        access = read_kubeconfig(text, reach=cluster.api_vips)
        return Client(replace(access, identity=replace(access.identity, **identity)) if identity else access)

    def _join(self) -> None:
        """The real flow: a client certificate as the new node's account, then a serving certificate as oneself."""
        key, user = new_key(), f"system:node:{self.node.name}"
        certificate = self._certificate(self._client(), "client", spec(pem(user, key=key), CLIENT))
        if not certificate:
            return
        own = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        kubelet = self._client(certificate=certificate, key=own)
        names = (self.node.name, *self.node.addresses)
        if self._certificate(kubelet, "serving", spec(pem(user, names=names), SERVING)) and self._register(kubelet):
            self.joined = kubelet

    def _certificate(self, client: Client, kind: str, content: dict[str, Any]) -> bytes:
        name = f"{self.node.name}-{kind}"
        body = {"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest"}
        sent = client.create(CSRS, {**body, "metadata": {"name": name}, "spec": content})
        if isinstance(sent, Trouble):
            return b""
        while not self.over.wait(PAUSE):
            item = client.get(path(CSRS, name))
            if not isinstance(item, Trouble) and (found := (item.get("status") or {}).get("certificate")):
                return b64decode(found)
        return b""

    def _register(self, client: Client) -> bool:
        labels = {f"node-role.kubernetes.io/{self.node.role}": ""}
        body = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": self.node.name, "labels": labels}}
        return not isinstance(client.create("/api/v1/nodes", body), Trouble)

    def _tell(self) -> None:
        """Ready, and a mirror of each static pod, as long as its program runs."""
        assert self.joined is not None
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        ready = {"type": "Ready", "status": "True", "reason": "StandIn", "lastHeartbeatTime": now}
        self.joined.patch(path("/api/v1/nodes", self.node.name, sub="status"), {"status": {"conditions": [ready]}})
        for file in self.pods.values():
            self._mirror(read_pod(file.read_bytes()))

    def _mirror(self, pod: Mapping[str, Any]) -> None:
        assert self.joined is not None
        name, space = f"{pod['metadata']['name']}-{self.node.name}", pod["metadata"]["namespace"]
        marks = {"kubernetes.io/config.mirror": "stand-in", "kubernetes.io/config.source": "file"}
        body = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": space, "annotations": marks, "ownerReferences": self._owner()},
            "spec": {"nodeName": self.node.name, "containers": [{"name": "program", "image": "program"}]},
        }
        self.joined.create(path("/api/v1/pods", namespace=space), body)
        state = {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
        self.joined.patch(path("/api/v1/pods", name, namespace=space, sub="status"), state)

    def _owner(self) -> list[dict[str, Any]]:
        assert self.joined is not None
        node: Object | Trouble = self.joined.get(path("/api/v1/nodes", self.node.name))
        uid = "" if isinstance(node, Trouble) else node["metadata"]["uid"]
        return [{"apiVersion": "v1", "kind": "Node", "name": self.node.name, "uid": uid, "controller": True}]


def _program(file: Path) -> str:
    name = read_pod(file.read_bytes())["spec"]["containers"][0].get("command", [""])[-1]
    return name if name in KNOWN else ""


class StandIns:
    """Hands on machines that are stand-ins, behind a real HAProxy."""

    def __init__(self, workspace: Workspace, nodes: Nodes, admin: Path) -> None:
        self.machines = {name: Machine(workspace=workspace, root=root) for name, root in nodes.roots.items()}
        self._admin = admin
        self.reached: frozenset[str] = frozenset()

    def put_files(self, node: str, files: Mapping[str, tuple[int, bytes]]) -> None:
        self.machines[node].root.put(files)

    def run(self, node: str, argv: Sequence[str]) -> Done:
        """In the node's network; a path is one below the node's root."""
        root = self.machines[node].root
        words = ["ip", "netns", "exec", root.space, argv[0]]
        words += [f"{root.root}{word}" if word.startswith("/") else word for word in argv[1:]]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return Done(command=tuple(argv), code=done.returncode, output=done.stdout, errors=done.stderr)

    def start(self, node: str) -> None:
        self.machines[node].start()

    def stop(self, node: str) -> None:
        self.machines[node].stop()

    def running(self, node: str) -> bool:
        return self.machines[node].thread is not None

    def keeps_data(self, node: str) -> bool:
        return (self.machines[node].root.root / "var/lib/etcd/member").is_dir()

    def remember(self, milestones: Iterable[str]) -> None:
        self.reached |= frozenset(milestones)

    def remembered(self) -> frozenset[str]:
        return self.reached

    def drop_backend(self, node: str) -> None:
        take_out(self._admin, node)

    def balancer(self, node: str) -> Backend:
        (status,) = (s.status for s in servers(self._admin) if s.name == node and s.backend == "api")
        return "out" if status.startswith(OUT) else "up" if status.startswith("UP") else "down"

    def stop_all(self) -> None:
        """All at once: none of them is to miss another."""
        for machine in self.machines.values():
            machine.over.set()
        with ThreadPoolExecutor(max_workers=len(self.machines)) as pool:
            list(pool.map(Machine.stop, self.machines.values()))


def bootkube(root: NodeRoot, folder: Path) -> subprocess.Popen[bytes]:
    """The real bootkube.sh on the bootstrap node; kubectl is its oc."""
    programs = folder / "programs"
    programs.mkdir()
    (programs / "oc").symlink_to(program("kubectl"))
    script = root.root / "usr/local/bin/bootkube.sh"
    environment = {
        **os.environ,
        "HARDWAY_ROOT": str(root.root),
        "HOME": str(folder),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "BOOTKUBE_PAUSE": "1",
    }
    with (folder / "bootkube.log").open("wb") as log:
        command = ["ip", "netns", "exec", root.space, "bash", str(script)]
        return subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
