"""Files below a root that somebody else writes to, such as a node's.

Links there are read as the root's own: an absolute one begins at the root, `..` ends at it, and none leads out of it.
The kernel sees to that (openat2, RESOLVE_IN_ROOT).
"""

from __future__ import annotations

import ctypes
import errno
import os
from contextlib import suppress
from pathlib import Path, PurePosixPath
from stat import S_ISREG

OPENAT2 = 437  # the call's number, the same on every architecture
NO_MAGICLINKS, IN_ROOT = 0x02, 0x10
TRIES = 100  # the kernel asks for another one when a folder is moved meanwhile
LARGEST = 1 << 24  # bytes of a file that is read: far more than any certificate or manifest
_libc = ctypes.CDLL(None, use_errno=True)


class _How(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]


def open_below(root: Path, path: str, flags: int) -> int:
    """A handle on what is there; OSError as of open."""
    how = _How(flags | os.O_CLOEXEC, 0, IN_ROOT | NO_MAGICLINKS)
    base = os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for _ in range(TRIES):
            handle: int = _libc.syscall(OPENAT2, base, os.fsencode(path), ctypes.byref(how), ctypes.sizeof(how))
            if handle >= 0:
                return handle
            if ctypes.get_errno() != errno.EAGAIN:
                break
    finally:
        os.close(base)
    code = ctypes.get_errno()
    raise OSError(code, os.strerror(code), f"{root}{path}")


def read(root: Path, path: str) -> bytes:
    """Of a plain file: a pipe or a device in its place would keep the reader waiting, or worse."""
    handle = open_below(root, path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as stream:
        if not S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a plain file", f"{root}{path}")
        content = stream.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), f"{root}{path}")
        return content


def write(root: Path, path: str, content: bytes, mode: int, *, folders: int = 0o700) -> None:
    """Whole or not at all, with exactly this mode; missing folders are made with theirs. What has the name already,
    a link too, is replaced and not written through. A part begins with a dot: the kubelet passes over it."""
    place = PurePosixPath(path)
    folder = _folder(root, str(place.parent), folders)
    part = f".{place.name}.{os.getpid()}.part"
    try:
        with suppress(FileNotFoundError):
            os.unlink(part, dir_fd=folder)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode, dir_fd=folder)
        with os.fdopen(handle, "wb") as stream:
            os.fchmod(handle, mode)
            stream.write(content)
        os.replace(part, place.name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        os.close(folder)


def _folder(root: Path, path: str, mode: int) -> int:
    flags = os.O_PATH | os.O_DIRECTORY
    try:
        return open_below(root, path, flags)
    except FileNotFoundError:
        place = PurePosixPath(path)
        above = _folder(root, str(place.parent), mode)
        try:
            os.mkdir(place.name, mode, dir_fd=above)
        finally:
            os.close(above)
        return open_below(root, path, flags)


def real(root: Path, path: str) -> Path:
    """Where it is on this machine, free of links; what is not there yet keeps its name. A link to what is not there
    could be followed by whoever makes it, and is refused."""
    try:
        handle = open_below(root, path, os.O_PATH)
    except FileNotFoundError:
        place = PurePosixPath(path)
        found = root if place.parent == place else real(root, str(place.parent)) / place.name
        if found.is_symlink():
            raise OSError(errno.ELOOP, "is a link that leads nowhere", str(found)) from None
        return found
    try:
        return Path(os.readlink(f"/proc/self/fd/{handle}"))
    finally:
        os.close(handle)
