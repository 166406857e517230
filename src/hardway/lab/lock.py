"""One command at a time changes a lab."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from hardway.io.lock import locked
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
    with locked(file, partial(_refuse, site)) as handle:
        try:
            os.truncate(handle, 0)
            os.write(handle, f"{command}, process {os.getpid()}".encode())
            yield
        finally:
            if not site.folder.exists():
                file.unlink()


def _refuse(site: Site, holder: str) -> None:
    raise ToolError(
        f"lab {site.name}: {holder or 'another command'} is at work on it.\n"
        "    fix: wait until it has ended, or end it with Ctrl-C; nothing is lost by that"
    )
