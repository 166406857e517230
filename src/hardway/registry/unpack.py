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
_LONGEST_HEADER = 1 << 16  # of the kinds that hold a name or attributes, which are read whole
_MOST_HEADERS = 8  # before one member: a long name, a long link, attributes
_MOST_MEMBERS = 10_000  # of an archive whose members are looked up by name
_FAILURES = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What tarfile itself fails with on headers that contradict themselves."""
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
            _opened(plain) as archive,
        ):
            yield archive
    except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, BadHeader) as error:
        raise Damaged(f"{where}: not a readable layer ({error})", fix="have the image pushed again") from None


def _opened(plain: BinaryIO) -> tarfile.TarFile:
    """The first header is read at once."""
    try:
        return tarfile.open(fileobj=plain, mode="r|", bufsize=_BUFFER, tarinfo=Member)
    except _FAILURES as error:
        raise _contradiction(error) from None


def _contradiction(error: Exception) -> BadHeader:
    return BadHeader(f"a header that contradicts itself: {type(error).__name__}")


def members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """One after the other, none of them remembered: a layer can have any number."""
    while member := _next(archive):
        yield member
        archive.members.clear()  # type: ignore[attr-defined]


def by_name(archive: tarfile.TarFile) -> dict[str, tarfile.TarInfo]:
    """The members of an archive that can be read at any place; BadHeader if it has too many to be an image's."""
    found: dict[str, tarfile.TarInfo] = {}
    for member in members(archive):
        found[member.name] = member
        if len(found) > _MOST_MEMBERS:
            raise BadHeader(f"more than {_MOST_MEMBERS} members")
    return found


def _next(archive: tarfile.TarFile) -> tarfile.TarInfo | None:
    try:
        member = archive.next()
    except _FAILURES as error:
        raise _contradiction(error) from None
    if sum(len(name) + len(value) for name, value in archive.pax_headers.items()) > _LONGEST_HEADER:
        raise BadHeader("too many attributes for all members")
    return member


def content_of(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    try:
        stream = archive.extractfile(member)
        return stream.read() if stream else b""
    except _FAILURES as error:
        raise _contradiction(error) from None


class BadHeader(Exception):
    """What a layer says of its members is wrong."""


class Member(tarfile.TarInfo):
    """A header that cannot be read is an error wherever it is, not the quiet end of the archive."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Member:
        """Calls itself for what follows a header that only describes the next one."""
        depth = getattr(archive, "headers_before", 0)
        if depth > _MOST_HEADERS:
            raise BadHeader(f"more than {_MOST_HEADERS} headers before one member")
        archive.headers_before = depth + 1  # type: ignore[attr-defined]
        try:
            return super().fromtarfile(archive)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise BadHeader(str(error)) from None
        finally:
            archive.headers_before = depth  # type: ignore[attr-defined]

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Member:
        member = super().frombuf(buf, encoding, errors)
        if member.type in _HEADERS and member.size > _LONGEST_HEADER:
            raise BadHeader("a name longer than any")
        return member


@contextmanager
def _plain(stream: BinaryIO, where: str) -> Iterator[BinaryIO]:
    """By what the layer begins with: media types are not always right."""
    start = stream.read(4)
    stream.seek(0)
    if start == _ZSTD:
        raise Unsupported(
            f"{where}: compressed with zstd, which is not supported",
            fix="copy the image to your registry with gzip layers: skopeo copy --dest-compress-format gzip …",
        )
    if start.startswith(_GZIP):
        with gzip.GzipFile(fileobj=stream, mode="rb") as plain:
            yield cast(BinaryIO, plain)
    else:
        yield stream
