"""Real operators as processes: a bootstrap control plane with every manifest of the cluster, and an operator on it.

The operator runs as on a master, with that machine's root and network; the types come from the API's own module, as
CVO would apply them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hardway.drive.client import Client, Trouble, path
from hardway.labrelease.compile.all import compiled
from hardway.labrelease.components.table import component
from hardway.labrelease.images import table as images
from hardway.labrelease.images.table import Set
from hardway.labrelease.payload import assemble
from hardway.lines.default import DEFAULT
from hardway.model.cluster import Cluster
from hardway.release.crds import select
from hardway.workspace.folder import Workspace
from tests.support.apiserver import start_control_plane
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.netns import inside
from tests.support.node_roots import ENTER, NodeRoot, Nodes, nodes
from tests.support.trees import build_folder, write_folder
from tests.support.waiting import until

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
OWN_TYPES, OF_CVO = "config/v1/zz_generated.crd-manifests", "0000_00_cluster-version-operator_01_*.crd.yaml"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
ETCD, KUBE_APISERVER = "cluster-etcd-operator", "cluster-kube-apiserver-operator"
CONFIG = "/var/run/configmaps/config/config.yaml"
KUBECONFIG = "/etc/operator.kubeconfig"
ALONE = "apiVersion: operator.openshift.io/v1\nkind: GenericOperatorConfig\nleaderElection: {disable: true}\n"


@cache
def program(name: str) -> Path:
    return compiled(component(name))


def cluster_folder(folder: Path, keys: str = "rsa-2048") -> Workspace:
    """A cluster on the operators' road, whose certificates are valid now."""
    made = write_folder(folder, install_config(), keys=keys, road="operators", operators=("etcd", "kube-apiserver"))
    return build_folder(made, FixedEntropy(now=datetime.now(UTC).replace(microsecond=0)))


def version_operator_types() -> dict[str, bytes]:
    """CVO's two: they come with its own image, and so before the payload."""
    return {file.name: file.read_bytes() for file in (program("api") / "data" / OWN_TYPES).glob(OF_CVO)}


@cache
def types() -> tuple[dict[str, Any], ...]:
    """Every type of the default feature set that the lab's release has."""
    found = {**payload_files("operators"), **version_operator_types()}
    return tuple(yaml.load(text, LOADER) for text in select(found, everything=True).values())


@cache
def payload_files(chosen: Set) -> Mapping[str, bytes]:
    """The manifests of the lab's release, with images of no registry."""
    folders = {name: program(name) for name in images.components(chosen)}
    named = assemble.wanted_images(chosen, folders) | {row.name for row in images.TABLE}
    return assemble.assemble(
        chosen,
        images=dict.fromkeys(named, f"registry.example.com/lab@sha256:{'0' * 64}"),
        stand_ins=(),
        folders=folders,
    )


def manifests_of(name: str) -> list[dict[str, Any]]:
    """An operator's own, without what the monitoring would read."""
    found = sorted((program(name) / "data" / "manifests").glob("0000_20_*.yaml"))
    return [body for file in found for body in yaml.load_all(file.read_text(), LOADER)]


@dataclass
class Ground:
    """A control plane that has the cluster's manifests."""

    workspace: Workspace
    nodes: Nodes
    api: Client
    resources: dict[tuple[str, str], tuple[str, bool]] = field(default_factory=dict)

    @property
    def cluster(self) -> Cluster:
        return self.workspace.loaded.cluster

    def collection(self, body: Mapping[str, Any]) -> str:
        """Where objects of a kind are."""
        version, kind = body["apiVersion"], body["kind"]
        base = f"/apis/{version}" if "/" in version else f"/api/{version}"
        if (version, kind) not in self.resources:
            found = self.api.get(base)
            assert not isinstance(found, Trouble), found
            for row in found["resources"]:
                if "/" not in row["name"]:
                    self.resources[version, row["kind"]] = (f"{base}/{row['name']}", row["namespaced"])
        where, namespaced = self.resources[version, kind]
        return path(where, namespace=body["metadata"]["namespace"]) if namespaced else where

    def create(self, body: Mapping[str, Any]) -> None:
        """As bootkube.sh does it: what is there stays, and a status goes in by itself."""
        collection = self.collection(body)
        made = self.api.create(collection, body)
        assert not isinstance(made, Trouble) or "already exists" in made.message, made
        if body.get("status") and not isinstance(made, Trouble):
            where = f"{collection}/{body['metadata']['name']}"
            self.api.patch(f"{where}/status", {"status": body["status"]})

    def secret(self, namespace: str, name: str) -> dict[str, Any]:
        found = self.api.get(path("/api/v1/secrets", name, namespace=namespace))
        return {} if isinstance(found, Trouble) else dict(found)


def manifests(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """The cluster's own, as stage 07 wrote them; machine configs are nobody's business here."""
    for folder in ("manifests", "openshift"):
        for file in sorted((workspace.store.root / folder).glob("*.y*ml")):
            body = yaml.load(file.read_text(), LOADER)
            if body["kind"] != "MachineConfig":
                yield body


@contextmanager
def control_plane(workspace: Workspace, folder: Path) -> Iterator[Ground]:
    """An empty one, on the bootstrap node."""
    with nodes(workspace.loaded.cluster, folder) as made, inside(made.hub):
        yield Ground(workspace, made, start_control_plane(workspace, made))


@contextmanager
def ground(folder: Path, *, keys: str = "rsa-2048", without: tuple[str, ...] = ()) -> Iterator[Ground]:
    """`without`: types that the release does not bring."""
    workspace = cluster_folder(folder / "cluster", keys)
    with control_plane(workspace, folder / "nodes") as found:
        wanted = [body for body in types() if body["metadata"]["name"] not in without]
        for body in wanted:
            found.create(body)
        until(lambda: all(_established(row) for row in _types(found)))
        bodies = [*manifests(workspace), *manifests_of(ETCD), *manifests_of(KUBE_APISERVER), *_settings()]
        for body in sorted(bodies, key=lambda b: b["kind"] != "Namespace"):
            if body["kind"] != "Deployment":
                found.create(body)
        _report(found)
        yield found


def _report(at: Ground) -> None:
    """What CVO reports as soon as it runs: which parts of OpenShift the cluster is to have."""
    where = "/apis/config.openshift.io/v1/clusterversions/version"
    said = at.api.get(where)
    assert not isinstance(said, Trouble), said
    release = {"version": at.cluster.release.version, "image": at.cluster.release.image}
    status = {
        "desired": release,
        "availableUpdates": None,
        "observedGeneration": 1,
        "versionHash": "x",
        "capabilities": {"enabledCapabilities": ["MachineAPI"], "knownCapabilities": ["MachineAPI"]},
    }
    told = at.api.replace(f"{where}/status", {**said, "status": status})
    assert not isinstance(told, Trouble), told


def _settings() -> Iterator[dict[str, Any]]:
    """Empty configuration, which operators want to exist."""
    for file in sorted((program("api") / "data/payload-command/empty-resources").glob("*.yaml")):
        yield yaml.safe_load(file.read_text())


def _types(at: Ground) -> tuple[Mapping[str, Any], ...]:
    found = at.api.items(CRDS)
    assert not isinstance(found, Trouble), found
    return found


def _established(row: Mapping[str, Any]) -> bool:
    said = (row.get("status") or {}).get("conditions") or ()
    return any(c["type"] == "Established" and c["status"] == "True" for c in said)


@contextmanager
def operator(at: Ground, name: str) -> Iterator[Path]:
    """Runs until the block ends; its log."""
    root = at.nodes[at.cluster.masters[0].name]
    _prepare(at, root)
    namespace = f"openshift-{name.removeprefix('cluster-')}"
    log = root.root.parent / f"{name}.log"
    words = ["ip", "netns", "exec", root.space, "unshare", "--mount", "sh", "-c", ENTER]
    words += [str(program(name) / "bin" / name), str(root.root), name, "operator"]
    words += [f"--config={CONFIG}", f"--kubeconfig={KUBECONFIG}", f"--namespace={namespace}"]
    with log.open("ab") as out:
        process = subprocess.Popen(words, stdout=out, stderr=out, env=_environment(at, name))
    try:
        yield log
    finally:
        process.kill()
        process.wait()


def _environment(at: Ground, name: str) -> dict[str, str]:
    version = at.cluster.release.version
    image = at.cluster.release.image_for("etcd" if name == ETCD else "hyperkube")
    operand = version if name == ETCD else DEFAULT.lab_kubernetes
    return {
        "PATH": os.environ["PATH"],
        "IMAGE": image,
        "OPERATOR_IMAGE": at.cluster.release.image_for(name),
        "OPERATOR_IMAGE_VERSION": version,
        "OPERAND_IMAGE_VERSION": operand,
        "POD_NAME": name,
    }


def _prepare(at: Ground, root: NodeRoot) -> None:
    """What the pod's volumes would bring, and the administrator's way in, past the load balancer."""
    assets, node = at.workspace.store.root, at.cluster.bootstrap
    config = yaml.safe_load((assets / "auth/kubeconfig").read_text())
    config["clusters"][0]["cluster"]["server"] = f"https://{node.address}:6443"
    config["clusters"][0]["cluster"]["tls-server-name"] = at.cluster.api_host
    tls = {
        "/var/run/secrets/etcd-client/tls.crt": "etcd-client.crt",
        "/var/run/secrets/etcd-client/tls.key": "etcd-client.key",
    }
    tls["/var/run/configmaps/etcd-ca/ca-bundle.crt"] = "etcd-ca-bundle.crt"
    root.put({inside: (0o600, (assets / "tls" / name).read_bytes()) for inside, name in tls.items()})
    root.put({CONFIG: (0o600, ALONE.encode()), KUBECONFIG: (0o600, yaml.safe_dump(config).encode())})
    (root.root / "program").mkdir(exist_ok=True)
    for name in (ETCD, KUBE_APISERVER):
        (root.root / "program" / name).touch()
