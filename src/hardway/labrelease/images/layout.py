"""An OCI image layout on disk: blobs by digest, shared by every release that is packed, and a folder for each release.

A release's folder holds hard links to the blobs, so it can be read and removed by itself and costs nothing extra.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO

from hardway.io import atomic
from hardway.io.folder import new_folder
from hardway.io.lock import in_turn

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
RECORD = "hardway.json"
NAME = "org.opencontainers.image.ref.name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """What a manifest says of a blob."""

    media_type: str
    digest: str
    size: int

    def as_dict(self) -> dict[str, Any]:
        return {"digest": self.digest, "mediaType": self.media_type, "size": self.size}


def canonical(value: Any) -> bytes:
    """JSON in the one form that gives the same digest every time."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Blobs:
    """A folder of blobs, each under its own digest. A blob is there as a whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "sha256"
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, digest: str) -> Path:
        return self.folder / digest.removeprefix("sha256:")

    def add(self, content: bytes, media_type: str) -> Blob:
        digest = f"sha256:{sha256(content).hexdigest()}"
        if not self.path(digest).exists():
            with self.part() as part:
                part.write(content)
                self.keep(part, digest)
        return Blob(media_type=media_type, digest=digest, size=len(content))

    @contextmanager
    def part(self) -> Iterator[BinaryIO]:
        """A file that becomes a blob by `keep`, and is gone if that does not happen."""
        with NamedTemporaryFile(dir=self.folder.parent, prefix="part-", delete=False) as file:
            try:
                yield file  # type: ignore[misc]
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(file.name)

    def keep(self, part: BinaryIO, digest: str) -> None:
        part.flush()
        os.chmod(part.name, 0o644)
        atomic.put(Path(part.name), self.path(digest))

    def json(self, digest: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.path(digest).read_bytes())
        return found


def write(folder: Path, blobs: Blobs, images: Mapping[str, Blob], record: Mapping[str, Any] | None = None) -> Path:
    """A layout with these images under these names, made beside its place and moved there when it is whole. The
    record is for ourselves: readers of layouts do not look at it."""
    with in_turn(folder.parent):
        if not folder.exists():
            with new_folder(folder) as part:
                _fill(part, blobs, images)
                (part / RECORD).write_bytes(canonical(record or {}))
    return folder


def _fill(part: Path, blobs: Blobs, images: Mapping[str, Blob]) -> None:
    (part / "blobs" / "sha256").mkdir(parents=True)
    for digest in sorted(_reachable(blobs, images)):
        _link(blobs.path(digest), part / "blobs" / "sha256" / blobs.path(digest).name)
    (part / "oci-layout").write_bytes(canonical({"imageLayoutVersion": "1.0.0"}))
    (part / "index.json").write_bytes(canonical(_index(images)))


def _index(images: Mapping[str, Blob]) -> dict[str, Any]:
    manifests = [{**blob.as_dict(), "annotations": {NAME: name}} for name, blob in sorted(images.items())]
    return {"schemaVersion": 2, "mediaType": INDEX, "manifests": manifests}


def _reachable(blobs: Blobs, images: Mapping[str, Blob]) -> set[str]:
    found = {image.digest for image in images.values()}
    for digest in tuple(found):
        manifest = blobs.json(digest)
        found |= {manifest["config"]["digest"], *(layer["digest"] for layer in manifest["layers"])}
    return found


def _link(blob: Path, target: Path) -> None:
    try:
        os.link(blob, target)
    except OSError:  # another file system, or one without hard links
        shutil.copyfile(blob, target)
