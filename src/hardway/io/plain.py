"""Files that others name or leave, read if they are plain files: a pipe would keep the reader waiting, and a device may
never end."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import BinaryIO

LARGEST = 256 << 20
"""Bytes of a file that is read whole. Of the honest ones, Ignition files are the largest, with a few million."""
SHELLS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""Where a shell has standard input, and what `<(…)` stands for: whoever names these means the pipe."""
KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}

Opener = Callable[[str, int], int]


class NotPlain(OSError):
    """Names the file, and what it is."""

    fix = "put a file in its place, or remove it"


def opener(path: str, flags: int) -> int:
    """For `open(…, opener=)`. Links are followed, and a new file is private."""
    try:
        handle = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno == errno.ENXIO:  # what opening a socket gives, and a pipe that nobody reads
            _refuse(os.lstat(path).st_mode, path)
        raise
    try:
        _refuse(os.fstat(handle).st_mode, path)
    except NotPlain:
        os.close(handle)
        raise
    return handle


def _refuse(mode: int, path: str) -> None:
    """A folder is for `open` to refuse."""
    if kind := KINDS.get(stat.S_IFMT(mode)):
        raise NotPlain(errno.EINVAL, f"is {kind}, not a file", path)


def opened(path: Path, by: Opener = opener) -> BinaryIO:
    return open(path, "rb", opener=by)


def read(path: Path, by: Opener = opener, largest: int = 0) -> bytes:
    """The whole content, if it is no larger than that, or than any file may be."""
    most = largest or LARGEST
    with opened(path, by) as stream:
        known = os.fstat(stream.fileno()).st_size  # nothing, of a pipe
        content = stream.read(known + 1) if known <= most else b""
        if len(content) > known:  # a pipe, or a file that grows; the memory is taken before it is filled
            content += stream.read(most - known)
    if max(known, len(content)) > most:
        size = f"{most >> 20} MiB" if most >= 1 << 20 else f"{most} bytes"
        raise NotPlain(errno.EFBIG, f"is larger than {size}", str(path))
    return content


def given(path: Path) -> bytes:
    """Of a file that a user names on the command line: it may be what the shell hands over, too."""
    return read(path, os.open if str(path).startswith(SHELLS) else opener)


def text(path: Path, read: Callable[[Path], bytes] = read, errors: str = "strict") -> str:
    """UTF-8, with lines that end in a newline whatever they end in."""
    return TextIOWrapper(BytesIO(read(path)), encoding="utf-8", errors=errors).read()
