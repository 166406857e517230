"""The program itself as an input of every file that it derives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import hardway

MAKERS = (
    "bootkube",
    "emit",
    "graph",
    "ignition",
    "kubeconfigs",
    "lines",
    "manifests",
    "model",
    "pki",
    "plan",
    "release",
    "staticpods",
)
"""The packages that artifacts are made by; a change in another one makes no file stale."""


@cache
def code_digest() -> str:
    root = Path(hardway.__file__).parent
    found = sha256()
    for maker in MAKERS:
        for path in sorted(_files(f"{root}/{maker}")):
            found.update(path.removeprefix(str(root)).encode() + b"\0")
            found.update(Path(path).read_bytes())
    return found.hexdigest()


def _files(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if not entry.is_dir():
            yield entry.path
        elif entry.name != "__pycache__":
            yield from _files(entry.path)
