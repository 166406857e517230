"""The source of an image in a registry: its mirrors before it, the cache before them."""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import BinaryIO

from hardway.registry import mirrors
from hardway.registry.access import Access, Progress
from hardway.registry.cache import Cache
from hardway.registry.digest import is_digest, of_bytes
from hardway.registry.download import download
from hardway.registry.errors import CacheFailed, Unreachable
from hardway.registry.manifest import LARGEST, Descriptor
from hardway.registry.repository import Repository
from hardway.registry.wire.client import Wire
from hardway.release.reference import Reference

_ROUNDS = 3  # look, download, look again: another process may have found damage and removed it in between
SMALL, LARGEST_PLAIN = 16 << 20, 64 << 20
GZIP = 16 + zlib.MAX_WBITS


class Remote:
    def __init__(self, named: Reference, access: Access, cache: Cache) -> None:
        self._named = named
        self._access = access
        self._cache = cache
        self._wire = Wire(access)
        self._repositories: dict[str, Repository] = {}

    @property
    def received(self) -> int:
        return self._wire.received

    def close(self) -> None:
        self._wire.close()

    def find(self) -> str:
        """A tag is the source's to resolve; what it stands for may then come from a mirror."""
        if self._named.digest:
            return self._named.digest
        try:
            content = self._repository(self._named).manifest(self._named.wanted)
        except Unreachable as error:
            if not mirrors.mirrored(self._named.name, self._access.mirrors):
                raise
            fix = f"{error.fix}; mirrors serve digests only: name the release by its digest, or name the mirror itself"
            raise Unreachable(error.what, fix=fix) from None
        self._cache.keep(content)
        return of_bytes(content)

    def manifest(self, digest: str, progress: Progress) -> bytes:
        if (kept := self._cache.open(digest)) is not None:
            with kept:
                return kept.read(LARGEST)
        content = mirrors.first(self._places(digest), lambda place: place.manifest(digest), progress)
        self._cache.keep(content)
        return content

    def blob(self, blob: Descriptor, progress: Progress) -> BinaryIO:
        for _ in range(_ROUNDS):
            if (kept := self._cache.open(blob.digest)) is not None:
                return kept
            mirrors.first(self._places(blob.digest), lambda p: download(blob, p, self._cache, progress), progress)
        said = f"{self._cache.folder}: does not return what was written to it"
        raise CacheFailed(said, fix="check the disk, or set XDG_CACHE_HOME to a folder on another one")

    def layer(self, blob: Descriptor, plain: str, progress: Progress) -> BinaryIO:
        """As the registry has it, or without its compression: a small layer, such as a release's payload, is kept by
        its second digest too, and read again in half the time."""
        small = is_digest(plain) and blob.size <= SMALL
        if small and (kept := self._cache.open(plain)) is not None:
            return kept
        packed = self.blob(blob, progress)
        if small:
            self._keep_plain(packed, plain)
        return packed

    def _keep_plain(self, packed: BinaryIO, plain: str) -> None:
        inflate = zlib.decompressobj(GZIP)
        with suppress(zlib.error):  # not gzip, or damaged: whoever reads it says so
            content = inflate.decompress(packed.read(), LARGEST_PLAIN)
            if of_bytes(content) == plain:
                self._cache.keep(content)
        packed.seek(0)

    def _places(self, digest: str) -> list[Repository]:
        return [self._repository(p) for p in mirrors.places(self._named.at(digest), self._access.mirrors)]

    def _repository(self, where: Reference) -> Repository:
        """One for each place, so that a token serves for everything there."""
        if where.name not in self._repositories:
            self._repositories[where.name] = Repository(where, self._access, self._wire)
        return self._repositories[where.name]
