"""A layer's archive as a stream of members, whichever way it is compressed, and however it is damaged."""

from __future__ import annotations

import gzip
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from hardway.registry.errors import Damaged, Unsupported

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BUFFER = 1 << 16
_LONGEST_HEADER = 1 << 20  # of the kinds that hold a name or attributes, which are read whole
_HEADERS = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)


@contextmanager
def unpacked(stream: BinaryIO, where: str) -> Iterator[tarfile.TarFile]:
    """The archive, to be read from its beginning to its end; whatever damage shows on the way is an error of ours."""
    try:
        with (
            _plain(stream, where) as plain,
            tarfile.open(fileobj=plain, mode="r|", bufsize=_BUFFER, tarinfo=_Member) as archive,
        ):
            yield archive
    except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, _BadHeader) as error:
        raise Damaged(f"{where}: not a readable layer ({error})", fix="have the image pushed anew") from None


def members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """One after the other, none of them remembered: a layer can have any number."""
    while member := archive.next():
        yield member
        archive.members.clear()  # type: ignore[attr-defined]


class _BadHeader(Exception):
    pass


class _Member(tarfile.TarInfo):
    """A header that cannot be read is an error wherever it is, not the quiet end of the archive."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> _Member:
        try:
            return super().fromtarfile(archive)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise _BadHeader(str(error)) from None

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        member = super().frombuf(buf, encoding, errors)
        if member.type in _HEADERS and member.size > _LONGEST_HEADER:
            raise _BadHeader("a name longer than any")
        return member


@contextmanager
def _plain(stream: BinaryIO, where: str) -> Iterator[BinaryIO]:
    """By what the layer begins with: media types are not always right."""
    start = stream.read(4)
    stream.seek(0)
    if start == _ZSTD:
        raise Unsupported(
            f"{where}: compressed with zstd, which is not read here",
            fix="copy the image to your registry with gzip layers: skopeo copy --dest-compress-format gzip …",
        )
    if start.startswith(_GZIP):
        with gzip.GzipFile(fileobj=stream, mode="rb") as plain:
            yield cast(BinaryIO, plain)
    else:
        yield stream
