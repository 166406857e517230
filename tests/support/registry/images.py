"""Images made in memory, byte by byte: layers, manifests, lists, and what a release holds."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

OCI = "application/vnd.oci.image"
DOCKER = "application/vnd.docker"
VERSION = "4.18.0"


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


@dataclass(frozen=True)
class Made:
    """An image or a list of images, with every blob and manifest beneath it."""

    manifest: bytes
    media: str
    blobs: Mapping[str, bytes]  # digest -> content
    below: tuple[Made, ...] = ()  # the images of a list

    @property
    def digest(self) -> str:
        return digest(self.manifest)

    @property
    def layers(self) -> list[str]:
        return [row["digest"] for row in json.loads(self.manifest)["layers"]]

    @property
    def descriptor(self) -> dict[str, object]:
        return {"mediaType": self.media, "digest": self.digest, "size": len(self.manifest)}


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size, info.mode = kind, link, size, 0o644
    return info


def tar(files: Mapping[str, bytes], *others: tarfile.TarInfo, last: Mapping[str, bytes] | None = None) -> bytes:
    """Files, then links and the like, then more files."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for several in (files, {info.name: info for info in others}, last or {}):
            for name, content in several.items():
                info = content if isinstance(content, tarfile.TarInfo) else member(name, size=len(content))
                archive.addfile(info, None if isinstance(content, tarfile.TarInfo) else io.BytesIO(content))
    return made.getvalue()


def layer(files: Mapping[str, bytes], *others: tarfile.TarInfo, **more: Mapping[str, bytes]) -> bytes:
    return gzip.compress(tar(files, *others, **more), 1, mtime=0)


def _plain(layer: bytes) -> bytes:
    """Without its compression; a damaged one as it is."""
    try:
        return zlib.decompress(layer, 16 + zlib.MAX_WBITS)
    except zlib.error:
        return layer


def image(
    *layers: bytes, docker: bool = False, architecture: str = "amd64", plain: Sequence[str] | None = None
) -> Made:
    """The layers are in a manifest's order, the oldest first; `plain` are their digests without compression."""
    named = plain or [digest(_plain(layer)) for layer in layers]
    rootfs = {"type": "layers", "diff_ids": named}
    config = json.dumps({"architecture": architecture, "os": "linux", "rootfs": rootfs}).encode()
    kinds = (f"{DOCKER}.container.image.v1+json", f"{DOCKER}.image.rootfs.diff.tar.gzip")
    config_kind, layer_kind = kinds if docker else (f"{OCI}.config.v1+json", f"{OCI}.layer.v1.tar+gzip")
    media = f"{DOCKER}.distribution.manifest.v2+json" if docker else f"{OCI}.manifest.v1+json"
    document = {
        "schemaVersion": 2,
        "mediaType": media,
        "config": {"mediaType": config_kind, "digest": digest(config), "size": len(config)},
        "layers": [{"mediaType": layer_kind, "digest": digest(c), "size": len(c)} for c in layers],
    }
    return Made(json.dumps(document).encode(), media, {digest(c): c for c in (config, *layers)})


def listing(images: Mapping[str, Made], *, docker: bool = False) -> Made:
    media = f"{DOCKER}.distribution.manifest.list.v2+json" if docker else f"{OCI}.index.v1+json"
    rows = [m.descriptor | {"platform": {"architecture": a, "os": "linux"}} for a, m in images.items()]
    document = {"schemaVersion": 2, "mediaType": media, "manifests": rows}
    return Made(json.dumps(document).encode(), media, {}, tuple(images.values()))


def payload_files(manifests: int = 3, version: str = VERSION) -> dict[str, bytes]:
    """What /release-manifests holds, with its folder in front."""
    spec = f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:{'1' * 64}"
    references = {
        "kind": "ImageStream",
        "apiVersion": "image.openshift.io/v1",
        "metadata": {"name": version},
        "spec": {"tags": [{"name": "pod", "from": {"kind": "DockerImage", "name": spec}}]},
    }
    files = {
        "release-manifests/image-references": json.dumps(references).encode(),
        "release-manifests/release-metadata": json.dumps(
            {"kind": "cincinnati-metadata-v0", "version": version}
        ).encode(),
    }
    for number in range(manifests):
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"made-{number}"}}
        files[f"release-manifests/0000_50_made_{number:03}.yaml"] = json.dumps(body).encode()
    return files


def release(manifests: int = 3, **kind: object) -> Made:
    """A base, and the payload on top of it."""
    base = layer({"usr/bin/cluster-version-operator": b"\x7fELF" * 256})
    return image(base, layer(payload_files(manifests)), **kind)  # type: ignore[arg-type]


def write_layout(folder: Path, images: Mapping[str, Made]) -> Path:
    """An OCI folder with these images by tag."""
    blobs = folder / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    for made in images.values():
        for one in (made, *made.below):
            for content in (one.manifest, *one.blobs.values()):
                (blobs / digest(content).removeprefix("sha256:")).write_bytes(content)
    rows = [
        made.descriptor | ({"annotations": {"org.opencontainers.image.ref.name": tag}} if tag else {})
        for tag, made in images.items()
    ]
    (folder / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": rows}))
    (folder / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))
    return folder


def archived(folder: Path, file: Path) -> Path:
    with tarfile.open(file, "w") as archive:
        archive.add(folder, arcname=".")
    return file
