"""Labs to test with: a small cluster on a network of its own, an image that is good for little, two booted nodes."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from hardway.lab import network, node, removal, services
from hardway.lab.paths import BALANCER, LabPaths, lab_paths
from hardway.labrelease.materials import materials
from hardway.model.cluster import Cluster
from hardway.pipeline.build import builder_of
from hardway.workspace.catalogue import make_graph
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.trees import write_folder

BUSYBOX = Path("/bin/busybox")
_NUMBERS = count()


@dataclass(frozen=True)
class Lab:
    paths: LabPaths
    cluster: Cluster
    folder: Path  # the cluster's

    def run(self, name: str, *words: str) -> str:
        """What a program on a node prints; it must succeed."""
        done = node.enter(self.paths, name, list(words))
        assert done.ok, f"{words}: {done.output}{done.errors}"
        return done.output.strip()

    def start(self, name: str) -> None:
        row = next(n for n in self.cluster.nodes if n.name == name)
        node.lay_out(self.paths, self.cluster, row, self.folder / "assets" / f"{name}.ign", materials())
        node.start(self.paths, name)


def networking() -> dict[str, object]:
    """A machine network that no other test and no other process of this machine's tests has."""
    number = os.getpid() * 4 + next(_NUMBERS)
    return {
        "networkType": "OVNKubernetes",
        "clusterNetwork": [{"cidr": "10.128.0.0/14", "hostPrefix": 23}],
        "serviceNetwork": ["172.30.0.0/16"],
        "machineNetwork": [{"cidr": f"10.{200 + number // 256 % 50}.{number % 256}.0/24"}],
    }


@contextmanager
def lab_place(name: str) -> Iterator[LabPaths]:
    """A lab's name and place; whatever the test makes of it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="hardway-lab-", dir="/var/tmp") as scratch:
        os.chmod(scratch, 0o711)
        found = lab_paths(name, Path(scratch) / name)
        try:
            yield found
        finally:
            removal.remove(found)


def cluster_of(folder: Path) -> Cluster:
    """One master, from the plan alone."""
    write_folder(folder, install_config(masters=1, workers=0, networking=networking()))
    return open_workspace(folder).loaded.cluster


@contextmanager
def running_lab(name: str, folder: Path) -> Iterator[Lab]:
    """Network, names, load balancer and registry, and Ignition files whose every image is the one in the registry."""
    cluster = cluster_of(folder)
    with lab_place(name) as place:
        network.up(place, cluster)
        services.up(place, cluster)
        image = push(place, services.registry(cluster), folder)
        release = replace(cluster.release, image=image, images=dict.fromkeys(cluster.release.images, image))
        yield Lab(paths=place, cluster=_build(folder, replace(cluster, release=release)), folder=folder)


def _build(folder: Path, cluster: Cluster) -> Cluster:
    workspace = open_workspace(folder)
    graph = make_graph(replace(workspace.loaded, cluster=cluster), workspace.base)
    now = FixedEntropy(now=datetime.now(UTC).replace(microsecond=0))
    builder_of(replace(workspace, loaded=replace(workspace.loaded, cluster=cluster), graph=graph), now).build(graph)
    return cluster


def push(place: LabPaths, registry: str, scratch: Path) -> str:
    """An image with a shell and the program that the release's pause image has; its reference by digest."""
    blobs = scratch / "image" / "blobs" / "sha256"
    blobs.mkdir(parents=True)

    def put(content: bytes) -> dict[str, object]:
        digest = hashlib.sha256(content).hexdigest()
        (blobs / digest).write_bytes(content)
        return {"digest": f"sha256:{digest}", "size": len(content)}

    layer = put(_layer())
    rootfs = {"type": "layers", "diff_ids": [layer["digest"]]}
    config = put(json.dumps({"architecture": "amd64", "os": "linux", "config": {}, "rootfs": rootfs}).encode())
    kind = "application/vnd.oci.image"
    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{kind}.manifest.v1+json",
        "config": {"mediaType": f"{kind}.config.v1+json", **config},
        "layers": [{"mediaType": f"{kind}.layer.v1.tar", **layer}],
    }
    top = {"mediaType": f"{kind}.manifest.v1+json", **put(json.dumps(manifest).encode())}
    (scratch / "image" / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
    (scratch / "image" / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [top]}))
    options = ["--quiet", "--preserve-digests", "--dest-tls-verify=false"]
    with services.writable(place) as writer:
        words = ["skopeo", "copy", *options, f"oci:{scratch / 'image'}", f"docker://{writer}/lab/tools:1"]
        subprocess.run(network.command(place, BALANCER, words), check=True, capture_output=True)
    return f"{registry}/lab/tools@{top['digest']}"


def _layer() -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as tar:
        for path, content in (("bin/busybox", BUSYBOX.read_bytes()), ("usr/bin/pod", b"#!/bin/sh\nexec sleep 9999\n")):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(content), 0o755
            tar.addfile(entry, io.BytesIO(content))
        for name in ("sh", "sleep"):
            entry = tarfile.TarInfo(f"bin/{name}")
            entry.type, entry.linkname = tarfile.SYMTYPE, "busybox"
            tar.addfile(entry)
    return whole.getvalue()


def first_disk() -> list[str]:
    """Numbers of this machine's first block device, as mknod wants them."""
    return sorted(Path("/sys/class/block").glob("*/dev"))[0].read_text().strip().split(":")


def traces(place: LabPaths) -> list[str]:
    """Whatever on this machine still bears the lab's name or folder, looked for without the lab's own code."""
    folder, group = str(place.folder), f"hardway/{place.name}"
    links = json.loads(subprocess.run(["ip", "-json", "link"], capture_output=True, check=True).stdout)
    found = [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if folder in line]
    found += [p.name for p in Path("/run/netns").iterdir() if f".{place.name}." in p.name]
    found += [link["ifname"] for link in links if folder in link.get("ifalias", "")]
    found += [str(p) for above in ("", "*/") for p in Path("/sys/fs/cgroup").glob(f"{above}{group}")]
    found += [str(p) for p in Path("/run/systemd/nspawn").glob(f"*/*.{place.name}.*")]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            said = (process / "cgroup").read_text() + (process / "cmdline").read_text()
            ended = (process / "stat").read_text().rpartition(") ")[2].startswith("Z")
        except OSError:
            continue
        found += [said] if not ended and (f"/{group}" in said or folder in said) else []
    return [*found, folder] if place.folder.exists() else found
