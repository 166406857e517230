"""What a registry keeps on disk, linked from a release that lies there already: nothing of it is sent or stored twice.

The names are those of the registry's file system driver: the bytes of a blob once, and in each repository that has it a
file with its digest.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

ROOT = "docker/registry/v2"


def seed(storage: Path, release: Path, repository: str) -> None:
    """The blobs of an OCI layout, as if they had been pushed; manifests and their names are left to a push.

    Across file systems there are no links: then nothing is done here, and the push sends everything.
    """
    kept = storage / ROOT
    layers = kept / "repositories" / repository / "_layers" / "sha256"
    for blob in (release / "blobs" / "sha256").iterdir():
        data = kept / "blobs" / "sha256" / blob.name[:2] / blob.name / "data"
        data.parent.mkdir(parents=True, exist_ok=True)
        try:
            with suppress(FileExistsError):
                os.link(blob, data)
        except OSError:
            return
        note = layers / blob.name / "link"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"sha256:{blob.name}")
