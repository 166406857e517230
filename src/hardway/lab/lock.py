"""One command at a time changes a lab, and one makes what labs share. A lock ends with its process, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardway.lab.site import Site
from hardway.model.errors import ToolError


def path(site: Site) -> Path:
    """Beside the lab's folder, which comes and goes; no lab's name begins with a dot."""
    return site.folder.parent / f".{site.name}.lock"


@contextmanager
def alone(site: Site, command: str) -> Iterator[None]:
    """`command` is what others are told who come meanwhile. Where no lab is left, the file goes too."""
    file = path(site)
    file.parent.mkdir(parents=True, exist_ok=True)
    handle = _locked(site, file)
    try:
        os.truncate(handle, 0)
        os.write(handle, f"{command}, process {os.getpid()}".encode())
        yield
    finally:
        if not site.folder.exists():
            file.unlink()
        os.close(handle)


@contextmanager
def in_turn(target: Path) -> Iterator[None]:
    """Who comes second waits, and finds it made."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.with_name(f"{target.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _locked(site: Site, file: Path) -> int:
    """A file that its last owner has just removed is nobody's: then there is a new one."""
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            who = os.pread(handle, 200, 0).decode(errors="replace") or "another command"
            os.close(handle)
            raise ToolError(
                f"lab {site.name}: {who} is at work on it.\n"
                "    fix: wait until it has ended, or end it with Ctrl-C; nothing is lost by that"
            ) from None
        if file.exists() and file.stat().st_ino == os.fstat(handle).st_ino:
            return handle
        os.close(handle)
