"""What an asset is made of, as the record names it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import hardway
from hardway.graph.asset import digest

CODE = "code"
PARAMS = "params"
CLUSTER = "cluster."
NEED = "need:"
MAKERS = ("emit", "graph", "ignition", "kubeconfigs", "manifests", "model", "pki", "plan", "release", "staticpods")
"""The packages that artifacts are made by; a change in another one makes no file stale."""


@cache
def code_digest() -> str:
    """The program itself is an input of every derived file."""
    root = Path(hardway.__file__).parent
    files = sorted(p for maker in MAKERS for p in (root / maker).rglob("*") if p.is_file())
    sources = [p for p in files if "__pycache__" not in p.parts]
    return digest(b"".join(str(p.relative_to(root)).encode() + b"\0" + p.read_bytes() for p in sources))


def in_words(name: str) -> str:
    """Why a change of this input makes an asset stale."""
    if name == CODE:
        return "hardway itself changed"
    if name == PARAMS:
        return "what it has to say changed"
    if name.startswith(CLUSTER):
        return f"{name.removeprefix(CLUSTER).replace('_', ' ')} changed in the configuration"
    return f"{name.removeprefix(NEED)} changed"
