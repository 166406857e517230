"""One command at a time changes a lab."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from hardway.io.lock import locked
from hardway.lab.paths import LabPaths
from hardway.model.errors import ToolError


def path(paths: LabPaths) -> Path:
    """Beside the lab's folder, which comes and goes; no lab's name begins with a dot."""
    return paths.folder.parent / f".{paths.name}.lock"


@contextmanager
def alone(paths: LabPaths, command: str) -> Iterator[None]:
    """`command` is what others are told who come meanwhile. Where no lab is left, the file goes too."""
    file = path(paths)
    file.parent.mkdir(parents=True, exist_ok=True)
    with locked(file, partial(_refuse, paths)) as handle:
        try:
            os.truncate(handle, 0)
            os.write(handle, f"{command}, process {os.getpid()}".encode())
            yield
        finally:
            if not paths.folder.exists():
                file.unlink()


def _refuse(paths: LabPaths, holder: str) -> None:
    raise ToolError(
        f"lab {paths.name}: {holder or 'another command'} is changing it.\n"
        "    fix: wait until it ends, or stop it with Ctrl-C; nothing is lost"
    )
