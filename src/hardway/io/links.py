"""Symbolic links in a folder that is ours: none is followed. A folder from somebody else may hold any."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


class LinkError(OSError):
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


def read(path: Path) -> bytes:
    """The content of a file that is no link; its folders are the caller's to look at."""
    with open(path, "rb", opener=no_link) as stream:
        return stream.read()


def no_link(path: str, flags: int) -> int:
    """For `open(…, opener=)`: a link is refused, and a new file is private."""
    try:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno == errno.ELOOP:
            refuse(Path(path))
        raise
