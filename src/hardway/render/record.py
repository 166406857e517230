"""Beside a render: what it was made from, and what it was, so that it is made again only if either has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hardway.graph.asset import digest

RECORD = "inputs.json"


def keep(folder: Path, key: str, **facts: Any) -> None:
    record = {"key": key, **facts, "files": digests(folder)}
    (folder / RECORD).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


def current(folder: Path, key: str) -> dict[str, Any] | None:
    """The record, if the folder holds the render of this key, untouched."""
    try:
        record = json.loads((folder / RECORD).read_text())
    except (OSError, ValueError, RecursionError):
        return None
    return record if record.get("key") == key and record.get("files") == digests(folder) else None


def digests(folder: Path) -> dict[str, str]:
    files = (f for f in sorted(folder.rglob("*")) if f.is_file() and f.name != RECORD)
    return {str(f.relative_to(folder)): digest(f.read_bytes()) for f in files}
