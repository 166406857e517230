"""An Ignition config, read back: what would be on the disk."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    content: bytes
    mode: int
    append: bool


def decode(resource: dict[str, Any]) -> bytes:
    head, _, data = resource.get("source", "data:,").partition(",")
    content = b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
    return gzip.decompress(content) if resource.get("compression") == "gzip" else content


def files(config: bytes) -> dict[str, Laid]:
    entries = json.loads(config)["storage"]["files"]
    found = {e["path"]: _laid(e) for e in entries}
    assert len(found) == len(entries)
    return found


def _laid(entry: dict[str, Any]) -> Laid:
    parts = entry.get("append") or [entry["contents"]]
    return Laid(content=b"".join(map(decode, parts)), mode=entry["mode"], append="append" in entry)


def units(config: bytes) -> dict[str, dict[str, Any]]:
    return {unit["name"]: unit for unit in json.loads(config)["systemd"]["units"]}
