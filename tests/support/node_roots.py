"""Nodes small enough for a test: a root folder and a network namespace each, on one bridge, with the plan's addresses.

A static pod runs in one as it is: the same command line, the same paths. Its mounts become links in the node's root,
and its program, which is linked statically, runs with that root as its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from hardway.labrelease.compile.all import compiled
from hardway.labrelease.components.table import component
from hardway.model.cluster import Cluster, Node
from hardway.network.dns.records import etcd_name

ENTER = 'mount --bind "$0" "$1/program/$2" && root=$1 name=$2 && shift 2 && exec chroot "$root" "/program/$name" "$@"'
NAMES = Path("/etc/netns")  # `ip netns exec` puts the files from here into /etc
_NUMBERS = count()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@cache
def program(name: str) -> Path:
    """A compiled program of the lab's components."""
    owners = {"etcd": "etcd", "etcdctl": "etcd", "cluster-policy-controller": "cluster-policy-controller"}
    return compiled(component(owners.get(name, "kubernetes"))) / "bin" / name


@dataclass
class NodeRoot:
    node: Node
    root: Path
    space: str  # its network namespace
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    pods: dict[str, Mapping[str, Any]] = field(default_factory=dict)  # by program, as last started

    def put(self, files: Mapping[str, tuple[int, bytes]]) -> None:
        for path, (mode, content) in files.items():
            target = self.root / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(mode)

    def start(self, pod: Mapping[str, Any]) -> subprocess.Popen[bytes]:
        """Run a pod's only container."""
        (container,) = pod["spec"]["containers"]
        name = container["command"][-1]
        self._mounts(pod, container)
        where = self.root / "program" / name
        where.parent.mkdir(exist_ok=True)
        where.touch()
        environment = {e["name"]: e["value"] for e in container.get("env", ())}
        words = ["ip", "netns", "exec", self.space, "sh", "-c", ENTER, str(program(name)), str(self.root), name]
        with self.log(name).open("ab") as log:
            process = subprocess.Popen(
                [*words, *container["args"]],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={"PATH": os.environ["PATH"], **environment},
            )
        self.processes[name], self.pods[name] = process, pod
        return process

    def restart(self, name: str) -> None:
        """As a kubelet does with a container that was killed: the pod as it was, on the data that it left."""
        self.stop(name, kill=True)
        self.start(self.pods[name])

    def log(self, name: str) -> Path:
        return self.root.parent / f"{self.node.name}-{name}.log"

    def stop(self, name: str, *, kill: bool = False) -> None:
        process = self.processes.pop(name, None)
        if process is None:
            return
        process.kill() if kill else process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _mounts(self, pod: Mapping[str, Any], container: Mapping[str, Any]) -> None:
        volumes = {v["name"]: v for v in pod["spec"]["volumes"]}
        for mount in container["volumeMounts"]:
            host = volumes[mount["name"]].get("hostPath", {"path": mount["mountPath"], "type": "DirectoryOrCreate"})
            self._mount(host["path"], mount["mountPath"], host["type"])

    def _mount(self, source: str, target: str, kind: str) -> None:
        if kind == "File":  # its folder may be another pod's mount
            return self._mount(os.path.dirname(source), os.path.dirname(target), "Directory")
        host, inside = self.root / source.lstrip("/"), self.root / target.lstrip("/")
        if kind == "DirectoryOrCreate":
            host.mkdir(parents=True, exist_ok=True)
        if not host.exists():
            raise FileNotFoundError(f"{self.node.name}: {source}")
        if not inside.exists():
            inside.parent.mkdir(parents=True, exist_ok=True)
            inside.symlink_to(os.path.relpath(host, inside.parent))


@dataclass
class Nodes:
    hub: str  # the namespace of the bridge, where a test's own client belongs
    roots: dict[str, NodeRoot]

    def __getitem__(self, name: str) -> NodeRoot:
        return self.roots[name]


@contextmanager
def nodes(cluster: Cluster, folder: Path) -> Iterator[Nodes]:
    """Every machine of the plan, all off; whatever runs in them at the end is stopped. Needs root."""
    lead = f"hw{os.getpid()}-{next(_NUMBERS)}"
    roots = {n.name: NodeRoot(node=n, root=folder / n.name, space=f"{lead}-{n.name}") for n in cluster.nodes}
    made = []
    try:
        for space in (f"{lead}-hub", *(r.space for r in roots.values())):
            _ip("netns", "add", space)
            made.append(space)
            _ip("-n", space, "link", "set", "lo", "up")
        _connect(f"{lead}-hub", cluster, roots)
        yield Nodes(hub=f"{lead}-hub", roots=roots)
    finally:
        for root in roots.values():
            for name in list(root.processes):
                root.stop(name, kill=True)
        for space in made:
            _ip("netns", "del", space)
            shutil.rmtree(NAMES / space, ignore_errors=True)


def _connect(hub: str, cluster: Cluster, roots: Mapping[str, NodeRoot]) -> None:
    """One bridge for all; the test itself is the gateway and the load balancer."""
    size = str(cluster.machine_networks[0].prefixlen)
    names = [(cluster.api_vips[0], name) for name in (cluster.api_host, cluster.api_int_host)]
    names += [(n.address, etcd_name(cluster, n)) for n in cluster.masters]
    names.append((cluster.ingress_vips[0], f"console-openshift-console.apps.{cluster.domain}"))
    hosts = "127.0.0.1 localhost\n::1 localhost\n" + "".join(f"{address} {name}\n" for address, name in names)
    _ip("-n", hub, "link", "add", "bridge", "type", "bridge")
    for address in dict.fromkeys((cluster.gateways[0], *cluster.api_vips, *cluster.ingress_vips)):
        _ip("-n", hub, "addr", "add", f"{address}/{size}", "dev", "bridge")
    _ip("-n", hub, "link", "set", "bridge", "up")
    for number, root in enumerate(roots.values()):
        _ip("-n", hub, "link", "add", f"n{number}", "type", "veth", "peer", "name", "eth0", "netns", root.space)
        _ip("-n", hub, "link", "set", f"n{number}", "master", "bridge", "up")
        _ip("-n", root.space, "addr", "add", f"{root.node.address}/{size}", "dev", "eth0")
        _ip("-n", root.space, "link", "set", "eth0", "up")
        _ip("-n", root.space, "route", "add", "default", "via", cluster.gateways[0])
        root.put({"/etc/hosts": (0o644, hosts.encode())})
        (NAMES / root.space).mkdir(parents=True)
        (NAMES / root.space / "hosts").write_text(hosts)
        (root.root / "tmp").mkdir(exist_ok=True)


def read_pod(content: bytes) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(content)
    return found
