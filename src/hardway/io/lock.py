"""One process at a time. A lock ends with its process, however it ends; what a process forks does not hold it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

Busy = Callable[[str], None]
"""Told, before the waiting begins, what the holder has written into the file; it may refuse to wait by an error."""

_held: set[int] = set()


@contextmanager
def locked(path: Path, busy: Busy = lambda holder: None) -> Iterator[int]:
    """A file, made if it is missing, or a folder: it is ours until the block ends. Gives its open handle."""
    handle = _take(path, busy)
    _held.add(handle)
    try:
        yield handle
    finally:
        _held.discard(handle)
        os.close(handle)


@contextmanager
def in_turn(target: Path, busy: Busy = lambda holder: None) -> Iterator[None]:
    """For making `target`: who comes second waits, and finds it made."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with locked(target.with_name(f"{target.name}.lock"), busy):
        yield


def _take(path: Path, busy: Busy) -> int:
    """Waiting can outlast the file, which its last owner may remove or rename: then there is a new one."""
    flags = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    while True:
        handle = os.open(path, flags | os.O_CLOEXEC, 0o600)
        try:
            _wait(handle, busy)
            if _is_at(path, handle):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _wait(handle: int, busy: Busy) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        busy(_holder(handle))
        fcntl.flock(handle, fcntl.LOCK_EX)


def _holder(handle: int) -> str:
    with suppress(OSError):  # a folder says nothing
        return os.pread(handle, 200, 0).decode(errors="replace")
    return ""


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _let_go() -> None:
    for handle in _held:
        with suppress(OSError):
            os.close(handle)
    _held.clear()


os.register_at_fork(after_in_child=_let_go)
