"""A copy of a folder that each process has once: it is lent to one test after the other, and put right in between.

A whole tree has some 250 files, and a test changes one or two of them. What was changed is seen by its time: a copy has
the time of its original, and whoever writes gives it another one.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from stat import S_IMODE

from tests.support.scratch import SCRATCH


def lent(source: Path) -> Path:
    """To change, until the same is asked for again."""
    place = SCRATCH / "lent" / str(os.getpid()) / source.relative_to("/")
    place.mkdir(parents=True, exist_ok=True)
    _put_right(place, source)
    return place


def _put_right(place: Path, source: Path) -> None:
    place.chmod(S_IMODE(source.stat().st_mode))
    originals = list(os.scandir(source))
    for name in {*os.listdir(place)} - {entry.name for entry in originals}:
        _remove(place / name)
    for entry in originals:
        copy = place / entry.name
        if entry.is_dir(follow_symlinks=False):
            if copy.is_symlink() or not copy.is_dir():
                _remove(copy)
                copy.mkdir()
            _put_right(copy, Path(entry.path))
        elif _look(copy) != _look(entry):
            _remove(copy)
            shutil.copy2(entry, copy, follow_symlinks=False)


def _look(path: Path | os.DirEntry[str]) -> tuple[int, ...]:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return ()
    return found.st_mode, found.st_uid, found.st_size, found.st_mtime_ns


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
