"""Small stand-ins for the compiled components and the base, so that packing can be tried in a second."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hardway.labrelease import release
from hardway.labrelease.checkouts.git import State
from hardway.labrelease.checkouts.made import Made
from hardway.labrelease.checkouts.row import Kit
from hardway.labrelease.components.row import Component
from hardway.labrelease.images import layers, table
from hardway.labrelease.images.base import Progress
from hardway.labrelease.images.layout import Blob, Blobs
from hardway.labrelease.images.table import Set
from hardway.labrelease.payload import sources

BASE = {"usr/bin/bash": b"bash", "usr/bin/busybox": b"busybox", "usr/bin/catatonit": b"catatonit"}
REFERENCES = """\
kind: ImageStream
spec:
  tags:
  - {name: machine-config-operator, from: {kind: DockerImage, name: "placeholder.example.com/ns:mco"}}
  - {name: kube-rbac-proxy, from: {kind: DockerImage, name: "placeholder.example.com/ns:kube-rbac-proxy"}}
  - {name: something-new, from: {kind: DockerImage, name: "placeholder.example.com/ns:something-new"}}
"""
MANIFEST = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: images, namespace: openshift-machine-config-operator}
data:
  version: 0.0.1-snapshot
  kubernetes: 0.0.1-snapshot-kubernetes
  proxy: "placeholder.example.com/ns:kube-rbac-proxy"
  other: "placeholder.example.com/ns:kube-rbac-proxy-and-more"
"""


def base(blobs: Blobs, progress: Progress) -> Blob:
    def fill(archive: tarfile.TarFile) -> None:
        for path, content in sorted(BASE.items()):
            header = tarfile.TarInfo(path)
            header.size, header.mode, header.mtime = len(content), 0o755, layers.DATE
            archive.addfile(header, io.BytesIO(content))

    return layers.write(blobs, fill)


def programs(folder: Path, rows: Sequence[Component], progress: Progress) -> dict[str, Path]:
    """A folder for each component, with every program and every data folder that the images ask for."""
    for image in table.TABLE:
        for part in image.parts:
            if isinstance(part, table.Program):
                _write(folder / part.component / "bin" / part.name, f"{part.component} {part.name}")
            elif isinstance(part, table.Data):
                _write(folder / part.component / "data" / part.folder / "0000_50_file.yaml", MANIFEST)
    for source in sources.TABLE:
        name = source.pattern.replace("*", "0000_50_file")
        _write(folder / source.component / "data" / source.folder / name, MANIFEST)
    mco = folder / "machine-config-operator/data/install"
    _write(mco / "image-references", REFERENCES)
    for row in sources.LEFT_OUT:
        _write(mco / row.file, "kind: Deployment\n")
    crds = folder / "api/data/config/v1/zz_generated.crd-manifests"
    _write(crds / "0000_00_cluster-version-operator_01_clusteroperators.crd.yaml", "kind: CustomResourceDefinition\n")
    return {row.name: folder / row.name for row in rows}


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_text(content)


def build(
    folder: Path,
    chosen: Set = "core",
    registry: str = "127.0.0.1:5000/hardway",
    made: Sequence[Made] = (),
) -> release.Built:
    return release.build(
        chosen,
        registry=registry,
        folder=folder / "cache",
        made=made,
        programs=partial(programs, folder / "programs"),
        foundation=base,
    )


def made(folder: Path, kit: Kit, word: str = "changed", *, described: str = "v4.18.0-1-g0123-dirty") -> Made:
    """As if compiled from a checkout: each program says its name and the word, and each folder has a manifest."""
    place = folder / f"{kit.name}-checkout-{word}"
    for program in kit.component.programs:
        _write(place / "bin" / program.file, f"{program.file} {word}")
    for pattern in kit.component.data:
        _write(place / "data" / pattern / f"0000_60_{kit.name}.yaml", MANIFEST)
    for row in (row for image in kit.packed for row in image.parts if isinstance(row, table.Data)):
        if row.component == kit.name:
            _write(place / "data" / row.folder / f"0000_60_{kit.name}.yaml", MANIFEST)
    for source in kit.brought:
        names = sorted(image.name for image in kit.packed)
        tags = [{"name": name, "from": {"name": f"placeholder.example.com/ns:{name}"}} for name in names]
        _write(place / "data" / source.folder / "image-references", json.dumps({"spec": {"tags": tags}}))
    return Made(kit=kit, folder=place, state=State(describe=described, commit="0123", dirty=True))
