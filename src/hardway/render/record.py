"""Beside a render: what it was made from, and what it was, so that it is made again only if either has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hardway.graph.asset import digest
from hardway.io import links, plain

RECORD = "inputs.json"


def keep(folder: Path, key: str, **facts: Any) -> None:
    record = {"key": key, **facts, "files": digests(folder)}
    (folder / RECORD).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


def current(folder: Path, key: str) -> dict[str, Any] | None:
    """The record, if the folder holds the render of this key, untouched."""
    try:
        record = json.loads(links.read(folder / RECORD, below=folder))
    except plain.NotPlain:
        raise
    except (OSError, ValueError, RecursionError):
        return None
    return record if record.get("key") == key and record.get("files") == digests(folder) else None


def digests(folder: Path) -> dict[str, str]:
    """A link among them is refused, whatever it leads to."""
    files = (f for f in sorted(folder.rglob("*")) if f.name != RECORD and (f.is_symlink() or not f.is_dir()))
    return {str(f.relative_to(folder)): digest(links.read(f, below=folder)) for f in files}
