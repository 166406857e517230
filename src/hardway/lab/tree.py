"""Removes what a node has written: as deep as it likes, with links and mounts as it likes."""

from __future__ import annotations

from pathlib import Path

from hardway.tools.run import run

SECONDS = 900.0


def delete(path: Path) -> None:
    """A file or a folder, if it is there. No link is followed, and nothing that is mounted below is touched."""
    run(["rm", "--recursive", "--force", "--one-file-system", "--", str(path)], seconds=SECONDS)
