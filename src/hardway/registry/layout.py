"""An OCI folder, and a tar archive of one: index.json, and blobs by digest."""

from __future__ import annotations

import tarfile
from contextlib import suppress
from errno import ENOENT
from pathlib import Path
from typing import BinaryIO, cast

from hardway.io import plain
from hardway.registry import digest as digests
from hardway.registry import manifest as manifests
from hardway.registry.access import Progress
from hardway.registry.errors import Damaged, NoSuchFile, NotFound, Truncated, WrongDigest
from hardway.registry.manifest import Descriptor
from hardway.registry.unpack import BadHeader, Member, by_name
from hardway.release.reference import Local

_FIX = "make it again: skopeo copy … {}:…"


class Layout:
    """The source of a local image. Nothing is unpacked: names in an archive are looked up, never written."""

    def __init__(self, where: Local) -> None:
        self.where = where
        self.received = 0  # nothing comes over the wire
        self._archive = _archive(where) if where.kind == "oci-archive" else None
        self._members = _members(self._archive, where) if self._archive else {}

    def close(self) -> None:
        if self._archive:
            self._archive.close()

    def find(self) -> str:
        """The digest of what the reference names; without a tag, of the only image there is."""
        index = self._small("index.json")
        entries = manifests.parse(index, str(self.where)).entries
        wanted = self.where.digest or self.where.tag
        named = [e for e in entries if not wanted or wanted in (e.tag, e.digest)]
        if len(named) == 1 or (wanted and named):
            return named[0].digest
        tags = ", ".join(sorted(e.tag for e in entries if e.tag)) or "none"
        problem = f"no image {wanted!r}" if wanted else f"{len(entries)} images, and none is named"
        raise NotFound(f"{self.where}: {problem}", fix=f"append one of its tags: {tags}")

    def manifest(self, digest: str, progress: Progress) -> bytes:
        content = self._small(_name(digest))
        if digests.of_bytes(content) != digest:
            raise WrongDigest(f"{self.where}: the manifest {digest} has another digest than its name", fix=self._fix)
        return content

    def blob(self, blob: Descriptor, progress: Progress) -> BinaryIO:
        stream = self._open(_name(blob.digest))
        digest, size = digests.of_stream(stream)
        if size < blob.size:
            said = f"{self.where}: blob {blob.digest} is truncated: {size} of {blob.size} bytes"
            raise Truncated(said, fix=self._fix)
        if digest != blob.digest:
            raise WrongDigest(f"{self.where}: blob {blob.digest} has another digest than its name", fix=self._fix)
        stream.seek(0)
        return stream

    def layer(self, blob: Descriptor, plain: str, progress: Progress) -> BinaryIO:
        return self.blob(blob, progress)

    @property
    def _fix(self) -> str:
        return _FIX.format(self.where.kind)

    def _small(self, name: str) -> bytes:
        with self._open(name) as stream:
            content = stream.read(manifests.LARGEST + 1)
        if len(content) > manifests.LARGEST:
            raise Damaged(f"{self.where}: {name} is larger than {manifests.LARGEST} bytes", fix=self._fix)
        return content

    def _open(self, name: str) -> BinaryIO:
        try:
            stream = self._member(name) if self._archive else plain.opened(Path(self.where.path) / name)
        except OSError as error:
            reason = error.strerror or "not a file"
            there = Path(self.where.path).exists()
            kind, fix = (NotFound, self._fix) if there else (NoSuchFile, "check the path")
            raise kind(f"{self.where}: {name} cannot be read ({reason})", fix=fix) from None
        return stream

    def _member(self, name: str) -> BinaryIO:
        assert self._archive
        for known in (name, f"./{name}"):
            with suppress(KeyError, tarfile.TarError):
                member = self._members[known]
                stream = self._archive.extractfile(member) if member.isreg() else None
                if stream:
                    return cast(BinaryIO, stream)
        raise FileNotFoundError(ENOENT, "not in the archive")


def _archive(where: Local) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=plain.opened(Path(where.path)), mode="r:", tarinfo=Member)
    except OSError as error:
        kind = NotFound if Path(where.path).exists() else NoSuchFile
        raise kind(f"{where}: cannot be read ({error.strerror or error})", fix="check the path") from None
    except (tarfile.TarError, BadHeader, ValueError):
        raise Damaged(f"{where}: not a tar archive, or a damaged one", fix=_FIX.format(where.kind)) from None


def _members(archive: tarfile.TarFile, where: Local) -> dict[str, tarfile.TarInfo]:
    try:
        return by_name(archive)
    except (tarfile.TarError, BadHeader) as error:
        archive.close()
        raise Damaged(f"{where}: not the archive of an image ({error})", fix=_FIX.format(where.kind)) from None


def _name(digest: str) -> str:
    return f"blobs/{digest.replace(':', '/')}"
