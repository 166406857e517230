"""What coreos-installer put into an image, as the live system would find it."""

from __future__ import annotations

import json
from base64 import b64decode
from gzip import decompress
from pathlib import Path
from typing import Any

from tests.support.coreos_installer_tool import run

DEST = "/etc/coreos/dest.ign"
CUSTOM = "/etc/coreos/installer.d/0000-customize.yaml"


def iso_files(iso: Path) -> dict[str, bytes]:
    return _files(run("iso", "ignition", "show", iso))


def pxe_files(initramfs: Path) -> dict[str, bytes]:
    return _files(run("pxe", "ignition", "unwrap", initramfs))


def _files(live: str) -> dict[str, bytes]:
    rows = {f["path"]: f["contents"] for f in json.loads(live)["storage"]["files"]}
    assert {row["compression"] for row in rows.values()} == {"gzip"}
    return {path: decompress(b64decode(row["source"].partition(",")[2])) for path, row in rows.items()}


def parsed(config: bytes) -> Any:
    """A config, without the fields that say nothing; coreos-installer writes them out."""
    return _said(json.loads(config))


def _said(value: Any) -> Any:
    if isinstance(value, dict):
        fields = {name: _said(inner) for name, inner in value.items()}
        return {name: inner for name, inner in fields.items() if inner not in (None, {}, [])}
    return [_said(inner) for inner in value] if isinstance(value, list) else value
