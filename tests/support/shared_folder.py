"""A folder that all processes of one test run share: the first that comes fills it, the last that goes removes it.

The system lets go of a killed process's locks, so nobody waits for one, and whoever is the last knows it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from hardway.io.lock import in_turn

FILLED = ".filled"


def of_this_run(factory: pytest.TempPathFactory) -> Path:
    """Where the processes of this test run meet, and those of no other one."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@contextmanager
def shared(folder: Path, fill: Callable[[Path], None]) -> Iterator[Path]:
    """The folder, filled. Never change what is in it, but for what can be changed by several at once.

    It is a link to one with a short name: podman waits for ever where a socket's path is longer than the system takes.
    """
    with folder.with_suffix(".users").open("w") as users:
        try:
            with in_turn(folder):
                fcntl.flock(users, fcntl.LOCK_SH)
                if not (folder / FILLED).exists():
                    remove(folder)
                    folder.symlink_to(tempfile.mkdtemp(prefix="hardway-run-"))
                    fill(folder.resolve())
                    (folder / FILLED).touch()
            yield folder.resolve()
        finally:
            with in_turn(folder):
                if _last(users):
                    remove(folder)


def _last(users: TextIO) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def remove(folder: Path) -> None:
    """With what is mounted in it: podman leaves its storage mounted onto itself when it is killed."""
    place = folder.resolve()
    table = Path("/proc/self/mounts").read_text().splitlines()
    for point in reversed([line.split()[1] for line in table]):
        if Path(point).is_relative_to(place):
            subprocess.run(["umount", point], check=False, capture_output=True)
    if place.exists():
        shutil.rmtree(place)
    if folder.is_symlink():
        folder.unlink()
