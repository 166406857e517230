"""Digests: what a content must hash to."""

from __future__ import annotations

import hashlib
import re
from typing import BinaryIO

CHUNK = 1 << 20
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def is_digest(text: str) -> bool:
    return bool(_DIGEST.fullmatch(text))


def of_bytes(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def of_stream(stream: BinaryIO) -> tuple[str, int]:
    """Digest and size of what is left of a stream, read piece by piece."""
    hashed, size = hashlib.sha256(), 0
    while piece := stream.read(CHUNK):
        hashed.update(piece)
        size += len(piece)
    return f"sha256:{hashed.hexdigest()}", size


def short(digest: str) -> str:
    return digest.removeprefix("sha256:")[:12]
