"""One process at a time. A lock ends with its process, however it ends; what a process forks does not hold it."""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hardway.io import links, trace

Busy = Callable[[str], None]
"""Told, before the waiting begins, what the holder has written into the file; it may refuse to wait by an error."""

PATIENCE = 1.0
"""How many seconds one waits before saying so: most locks are held for less."""

_held: set[int] = set()


@contextmanager
def locked(path: Path, busy: Busy | None = None) -> Iterator[int]:
    """A file, made if it is missing, or a folder: it is ours until the block ends. Gives its open handle."""
    handle = _take(path, busy)
    _held.add(handle)
    try:
        yield handle
    finally:
        _held.discard(handle)
        os.close(handle)


@contextmanager
def in_turn(target: Path, busy: Busy | None = None) -> Iterator[None]:
    """For making `target`: who comes second waits, and finds it made."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with locked(target.with_name(f"{target.name}.lock"), busy):
        yield


def _take(path: Path, busy: Busy | None) -> int:
    """Waiting can outlast the file, which its last owner may remove or rename: then there is a new one."""
    flags = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
    while True:
        handle = links.no_link(str(path), flags)
        try:
            _wait(handle, busy)
            if _is_at(path, handle):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _wait(handle: int, busy: Busy | None) -> None:
    if _is_free(handle):
        return
    if busy:
        busy(_holder(handle))
    elif not _is_free_soon(handle) and _owner(handle) != os.getpid():  # another thread of ours is no news
        with trace.waiting(f"waiting for {_holder(handle)}"):
            fcntl.flock(handle, fcntl.LOCK_EX)
            return
    fcntl.flock(handle, fcntl.LOCK_EX)


def _is_free(handle: int) -> bool:
    """Then it is ours."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_free_soon(handle: int) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        time.sleep(0.02)
        if _is_free(handle):
            return True
    return False


def _holder(handle: int) -> str:
    """What the holder has written into the file, or else its command line, as the kernel knows it."""
    said = b""
    with suppress(OSError):  # a folder says nothing
        said = os.pread(handle, 200, 0)
    return said.decode(errors="replace") or _command(handle)


def _command(handle: int) -> str:
    with suppress(OSError):  # it may have ended by now
        if owner := _owner(handle):
            words = Path(f"/proc/{owner}/cmdline").read_bytes().decode(errors="replace").split("\0")
            return f"`{shlex.join(word for word in words if word)}`, process {owner}"
    return "another process"


def _owner(handle: int) -> int:
    """The process that has the lock, from /proc/locks: `1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE ...`; 0 if none
    is there."""
    row = os.fstat(handle)
    device = f"{os.major(row.st_dev):02x}:{os.minor(row.st_dev):02x}"
    with suppress(OSError):
        found = re.search(rf"FLOCK +ADVISORY +WRITE +(\d+) +{device}:{row.st_ino} ", Path("/proc/locks").read_text())
        return int(found[1]) if found else 0
    return 0


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
