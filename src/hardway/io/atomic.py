"""A file that is written beside its place and put there whole, so that nobody sees half of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hardway.io import trace

PRIVATE, PUBLIC = 0o600, 0o644
PARTS = ".*.part"
"""What a killed process leaves of its files: names that begin with a dot, which the kubelet passes over."""


def write(path: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Whole or not at all, with exactly this mode; nobody else can read a secret even while it is written."""
    with new_file(path, mode) as stream:
        stream.write(content)


@contextmanager
def new_file(path: Path, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """To be filled; it is under its name when the block ends well, and gone otherwise."""
    part, handle = _created(path, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            os.fchmod(handle, mode)
            yield stream
        put(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _created(path: Path, mode: int) -> tuple[Path, int]:
    """A name that is not taken: what has the first ones is not ours, and may be a folder or a link."""
    number = 0
    while True:
        part = path.with_name(f".{path.name}.{os.getpid()}-{number}.part")
        try:
            return part, os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        except FileExistsError:
            number += 1


def put(made: Path, path: Path) -> None:
    """What is whole already, and on the same file system, goes under its name, in place of what was there."""
    os.replace(made, path)
    trace.step("write", path)
