"""Symbolic links in a folder that is ours: none is followed. A folder from somebody else may hold any."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from hardway.io import plain


class LinkError(plain.NotPlain):
    """Names the link, and where it leads."""

    fix = "remove it, and run the command again; where another disk is meant, name the folder there, or mount it here"


def refuse(path: Path) -> None:
    """The path itself must not be a link; one that does not exist is none."""
    try:
        target = os.readlink(path)
    except OSError:
        return
    raise LinkError(errno.ELOOP, f"is a symbolic link to {target}, and hardway follows none here", str(path))


def refuse_below(folder: Path) -> None:
    """What a program has written there must be files and folders: it may not lead to a file of this machine."""
    for entry in os.scandir(folder):
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            refuse_below(Path(entry.path))
        elif not stat.S_ISREG(mode):
            refuse(Path(entry.path))
            raise LinkError(errno.EINVAL, "is no file and no folder, and was not to be written", entry.path)


def restrict(path: Path, below: Path) -> tuple[int, int]:
    """Takes away what others may do with a file or a folder; its mode before and after. No link is followed."""
    for folder in (path, *path.parents):
        if not folder.is_relative_to(below):
            break
        refuse(folder)
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        before = stat.S_IMODE(os.fstat(opened).st_mode)
        os.fchmod(opened, before & 0o700)
    finally:
        os.close(opened)
    return before, before & 0o700


def read(path: Path, below: Path | None = None, largest: int = 0) -> bytes:
    """The content of a file that is no link; nor is a folder on the way to it, from `below` on."""
    for folder in path.parents:
        if below is None or not folder.is_relative_to(below):
            break
        refuse(folder)
    return plain.read(path, no_link, largest)


def no_link(path: str, flags: int) -> int:
    """For `open(…, opener=)`: a link is refused, and what is no plain file; a new file is private."""
    try:
        return plain.opener(path, flags | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno == errno.ELOOP:
            refuse(Path(path))
        raise
