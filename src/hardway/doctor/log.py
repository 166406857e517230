"""A log as a witness: a journal as text, a machine's console, a component's own log, plain or compressed with gzip."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, cast

from hardway.checks.cluster.objects import Object, words
from hardway.checks.files.shapes import text
from hardway.checks.log.scan import Scanned, scan
from hardway.checks.log.table import ROWS, TABLE
from hardway.io import plain
from hardway.io.harmless import one_line
from hardway.model.check import Report, run
from hardway.model.errors import ConfigError

STANDARD_INPUT = "-"
LOOKED_AT = 4096
GZIP = b"\x1f\x8b"
PACKED = 3  # times
MOST_UNPACKED = 8 << 30
"""Bytes that are read of what was compressed: a file of two thousand bytes can become as many as one likes."""
JOURNAL = "`journalctl --file FILE | hardway doctor --log -`"
KINDS = {
    b"LPKSHHRH": ("a journal in systemd's own format", JOURNAL),
    b"\xfd7zXZ\x00": ("compressed with xz", "`xzcat FILE | hardway doctor --log -`"),
    b"\x28\xb5\x2f\xfd": ("compressed with zstd", "`zstdcat FILE | hardway doctor --log -`"),
    b"BZh": ("compressed with bzip2", "`bzcat FILE | hardway doctor --log -`"),
    b"PK\x03\x04": ("a zip archive", "unpack it, and name the log in it"),
}
TAR = (257, b"ustar")
UNTAR = "`hardway doctor FILE` reads an archive"
NOT_TEXT = frozenset(range(0x20)) - frozenset(b"\t\n\r\x1b\x08\x0c\x00\x07")
"""Bytes that consoles do not write either; they do write zeros, at a reset."""


class TooMuch(ConfigError):
    """What was compressed is larger than what is read."""


@dataclass(slots=True)
class Room:
    """How many bytes may still be read of what was compressed."""

    left: int

    def take(self, size: int, shown: str) -> None:
        self.left -= size
        if self.left < 0:
            most = f"{MOST_UNPACKED >> 30} GiB"
            raise TooMuch(
                f"{shown}: is larger than {most} when it is unpacked.\n    fix: give a part of it with --log -"
            )


def read(name: str) -> Report:
    """What the log shows. The name is a file's, or - for standard input."""
    if not name:
        raise ConfigError("--log: names no file.\n    fix: name a log, or pipe it in with `--log -`")
    shown = "standard input" if name == STANDARD_INPUT else one_line(name)
    try:
        with _opened(name) as stream:
            scanned = scanned_from(stream, shown)
            return replace(run(TABLE, scanned), notes=_notes(scanned))
    except plain.NotPlain as error:
        raise ConfigError(f"{shown}: {error.strerror}.\n    fix: name a file, or pipe it in with `--log -`") from None
    except OSError as error:
        raise ConfigError(f"{shown}: {error.strerror}.\n    fix: name a log that can be read") from None


def scanned_from(stream: BinaryIO, shown: str, room: Room | None = None) -> Scanned:
    """What is seen in a stream of text; ConfigError if it is none."""
    try:
        return scan(_text(stream, shown, room or Room(MOST_UNPACKED)), shown, ROWS)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ConfigError(
            f"{shown}: is damaged: gzip cannot read it to its end.\n    fix: give the whole file"
        ) from None


def scanned_bytes(content: bytes, shown: str) -> Scanned:
    return scan(BytesIO(content), shown, ROWS)


def events(found: Iterable[Object]) -> bytes:
    """A cluster's events as the lines of a log, the oldest first."""
    rows = []
    for event in map(dict, found):
        when = text(event, "lastTimestamp") or text(event, "eventTime") or text(event, "firstTimestamp")
        about = "/".join(p for p in (text(event, "involvedObject", k) for k in ("namespace", "name")) if p)
        rows.append((when, one_line(f"{when} {about}: {words(event)}")))
    return "".join(f"{line}\n" for _, line in sorted(rows)).encode()


def _notes(log: Scanned) -> tuple[str, ...]:
    if not log.lines:
        return (f"{log.name}: the log is empty. This does not mean that nothing is wrong.",)
    if log.sightings:
        return ()
    read = "1 line was" if log.lines == 1 else f"{log.lines} lines were"
    known = "it has no words that hardway knows" if log.lines == 1 else "none has words that hardway knows"
    return (f"{log.name}: {read} read, and {known}. This does not mean that nothing is wrong.",)


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with plain.opened(Path(name)) as stream:
        yield stream


def _text(stream: BinaryIO, shown: str, room: Room, packed: int = 0) -> BinaryIO:
    """The stream, or what is compressed in it; a log that was rotated and then packed is compressed twice."""
    head = stream.read(LOOKED_AT)
    whole = cast(BinaryIO, _Whole(head, stream))
    if head.startswith(GZIP) and packed < PACKED:
        unpacked = _Counted(cast(BinaryIO, gzip.GzipFile(fileobj=whole)), room, shown)
        return _text(cast(BinaryIO, unpacked), shown, room, packed + 1)
    if head.startswith(TAR[1], TAR[0]):
        raise ConfigError(f"{shown}: is a tar archive.\n    fix: {UNTAR}")
    for mark, (what, fix) in KINDS.items():
        if head.startswith(mark):
            raise ConfigError(f"{shown}: is {what}.\n    fix: {fix}")
    if head and sum(byte in NOT_TEXT for byte in head) * 20 > len(head):
        raise ConfigError(f"{shown}: is not text.\n    fix: name a log; a journal as text comes from `journalctl`")
    return whole


class _Counted:
    """A stream that takes room."""

    def __init__(self, stream: BinaryIO, room: Room, shown: str) -> None:
        self.stream, self.room, self.shown = stream, room, shown

    def read(self, size: int) -> bytes:
        given = self.stream.read(size)
        self.room.take(len(given), self.shown)
        return given


class _Whole:
    """A stream whose beginning was read already."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self.head = head
        self.stream = stream

    def read(self, size: int) -> bytes:
        given, self.head = self.head[:size], self.head[size:]
        return given + self.stream.read(size - len(given)) if len(given) < size else given
