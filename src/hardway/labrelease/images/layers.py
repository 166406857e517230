"""Layers as tar archives that come out the same every time: sorted, each path once, owned by root, one date.

They are not compressed. Everything that reads them is on the same machine or one hop away: unpacking costs more there
than carrying, and the digest would depend on the compressor's version.
"""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO

from hardway.io import atomic
from hardway.labrelease.images.layout import Blob, Blobs

MEDIA_TYPE = "application/vnd.oci.image.layer.v1.tar"
DATE = 1_740_009_600  # 2025-02-20, when the release came out: a fixed date, and no file looks older than the system


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file of a layer: its content, where the content is, or what it links to."""

    path: str  # without the leading slash
    source: bytes | Path | None = None
    link: str = ""
    mode: int = 0o644


def program(name: str, source: Path) -> Entry:
    return Entry(path=f"usr/bin/{name}", source=source, mode=0o755)


def folder(source: Path, target: str, *, pattern: str = "*") -> list[Entry]:
    """The files of a folder, and of those below it, under another path."""
    files = sorted(path for path in source.rglob(pattern) if path.is_file())
    return [Entry(path=(PurePosixPath(target) / path.relative_to(source)).as_posix(), source=path) for path in files]


def pack(entries: Iterable[Entry], blobs: Blobs) -> Blob:
    """The layer with these files; packed only if no layer was made from the same ones before."""
    ordered = sorted(entries, key=lambda entry: entry.path)
    note = blobs.folder.parent / "layers" / _stamp(ordered)
    if found := known(note, blobs):
        return found
    blob = write(blobs, lambda archive: _fill(archive, ordered))
    remember(note, blob)
    return blob


class _Hashing:
    """A file that is written and hashed at once; the archive never asks it to go back."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.hash = sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self.hash.update(data)
        self.size += len(data)
        return self._file.write(data)


def write(blobs: Blobs, fill: Callable[[tarfile.TarFile], None]) -> Blob:
    with blobs.part() as part:
        hashing = _Hashing(part)
        with tarfile.open(fileobj=hashing, mode="w|", format=tarfile.PAX_FORMAT, bufsize=1 << 20) as archive:  # type: ignore[call-overload]
            fill(archive)
        digest = f"sha256:{hashing.hash.hexdigest()}"
        blobs.keep(part, digest)
    return Blob(media_type=MEDIA_TYPE, digest=digest, size=hashing.size)


def _fill(archive: tarfile.TarFile, entries: list[Entry]) -> None:
    written: set[str] = set()
    for entry in entries:
        for parent in reversed(PurePosixPath(entry.path).parents):
            if parent.name and str(parent) not in written:
                written.add(str(parent))
                archive.addfile(_header(str(parent), tarfile.DIRTYPE, 0o755))
        if entry.path in written:
            raise ValueError(f"{entry.path} is twice in one layer")  # podman and CRI-O refuse such a layer
        written.add(entry.path)
        _add(archive, entry)


def _add(archive: tarfile.TarFile, entry: Entry) -> None:
    if entry.link:
        header = _header(entry.path, tarfile.SYMTYPE, 0o777)
        header.linkname = entry.link
        archive.addfile(header)
        return
    assert entry.source is not None
    with open(entry.source, "rb") if isinstance(entry.source, Path) else BytesIO(entry.source) as content:
        header = _header(entry.path, tarfile.REGTYPE, entry.mode)
        header.size = content.seek(0, os.SEEK_END)
        content.seek(0)
        archive.addfile(header, content)


def _header(path: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(path)
    header.type, header.mode, header.mtime = kind, mode, DATE
    return header


def _stamp(entries: list[Entry]) -> str:
    """Files on disk go by size, date and number, which change whenever their content does."""

    def facts() -> Iterator[list[object]]:
        for entry in entries:
            source = entry.source
            if isinstance(source, Path):
                found = source.stat()
                yield [entry.path, entry.mode, str(source), found.st_size, found.st_mtime_ns, found.st_ino]
            else:
                yield [entry.path, entry.mode, entry.link, sha256(source or b"").hexdigest()]

    return sha256(json.dumps(list(facts())).encode()).hexdigest()


def known(note: Path, blobs: Blobs) -> Blob | None:
    try:
        found = json.loads(note.read_bytes())
    except (OSError, ValueError):
        return None
    blob = Blob(media_type=MEDIA_TYPE, digest=found["digest"], size=found["size"])
    return blob if blobs.path(blob.digest).exists() else None


def remember(note: Path, blob: Blob) -> None:
    note.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(note, json.dumps({"digest": blob.digest, "size": blob.size}).encode(), atomic.PUBLIC)
