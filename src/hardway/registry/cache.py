"""Blobs by digest on this machine, shared by every process; what is in it is checked before it is used."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hardway.io import atomic, plain
from hardway.io.cache import cache_home
from hardway.io.lock import locked
from hardway.registry import digest as digests
from hardway.registry.access import Progress, silent
from hardway.registry.errors import CacheFailed


class Part:
    """A download under way: the file that the lock is on. Whoever holds it goes on where the last one stopped."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.restart(keep=True)

    def restart(self, *, keep: bool = False) -> None:
        """From the beginning; with `keep` from what is already there."""
        self._file.seek(0)
        self._hash = hashlib.sha256()
        self.size = 0
        while keep and (piece := self._file.read(digests.CHUNK)):
            self._hash.update(piece)
            self.size += len(piece)
        self._file.truncate(self.size)

    def write(self, piece: bytes) -> None:
        self._file.write(piece)
        self._hash.update(piece)
        self.size += len(piece)

    @property
    def digest(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"


class Cache:
    """`folder` holds sha256/DIGEST, and sha256/DIGEST.part for what is not complete."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_home() / "blobs"

    def path(self, digest: str) -> Path:
        assert digests.is_digest(digest)
        return self.folder / digest.replace(":", "/")

    def open(self, digest: str) -> BinaryIO | None:
        """The blob at its beginning, if it is here and whole. A damaged one is removed."""
        path = self.path(digest)
        with self._usable():
            try:
                file = plain.opened(path)
            except FileNotFoundError:
                return None
            if digests.of_stream(file)[0] == digest:
                file.seek(0)
                return file
            file.close()
            path.unlink(missing_ok=True)
            return None

    def keep(self, content: bytes) -> None:
        """Something small that has just been checked."""
        with self.part(digests.of_bytes(content)) as part:
            if part:
                part.restart()
                part.write(content)

    @contextmanager
    def part(self, digest: str, progress: Progress = silent) -> Iterator[Part | None]:
        """The partial download, ours alone; None if another process has completed it while we waited."""
        path = self.path(digest).with_suffix(".part")
        with self._usable():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            waiting = f"waiting for another process to download {digests.short(self.path(digest).name)}"
            with (
                locked(path, lambda holder: progress(waiting, 0, 0)) as handle,
                os.fdopen(handle, "r+b", closefd=False) as file,
            ):
                part = Part(file)
                try:
                    yield None if self.path(digest).exists() else part
                finally:
                    file.flush()
                    _settle(part, path, self.path(digest))

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise CacheFailed(
                f"{self.folder}: downloads cannot be kept here ({error.strerror or error})",
                fix="free space or correct the permissions, or set XDG_CACHE_HOME to another folder",
            ) from None


def _settle(part: Part, path: Path, complete: Path) -> None:
    """Complete, or kept to go on with, or nothing that is worth keeping."""
    if part.digest == f"sha256:{complete.name}":
        atomic.put(path, complete)
    elif not part.size:
        path.unlink()
