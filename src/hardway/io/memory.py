"""A file that is on no disk, for libraries that take secrets only by a file's name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def in_memory(content: bytes) -> Iterator[str]:
    """The name of a file with this content; this process alone can open it, until the block ends."""
    handle = os.memfd_create("hardway", os.MFD_CLOEXEC)
    try:
        with os.fdopen(handle, "wb", closefd=False) as stream:
            stream.write(content)
        yield f"/proc/self/fd/{handle}"
    finally:
        os.close(handle)
