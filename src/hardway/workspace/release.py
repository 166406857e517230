"""The release that a cluster's folder has read (stage 04), or the embedded catalogue where it has not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardway.model.cluster import Release
from hardway.model.errors import ConfigError
from hardway.release import catalogue
from hardway.workspace.names import RELEASE

RECORD = "release.json"
MANIFESTS = "manifests"  # below release: the payload's files as they are


def release_in(assets: Path) -> Callable[[str], Release]:
    """Finds the release that hardway.yaml asks for: the one that was read, or one of the catalogue."""

    def find(asked: str) -> Release:
        record = recorded(assets)
        return from_record(record) if record and record["asked"] == asked else catalogue.release_for(asked)

    return find


def recorded(assets: Path) -> dict[str, Any] | None:
    """What stage 04 wrote down, if it has run."""
    path = assets / RELEASE / RECORD
    try:
        record = json.loads(path.read_text())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or not record.keys() >= _FIELDS:
        raise ConfigError(f"{path}: is damaged.\n    fix: remove {path.parent} and run `hardway build 04` again")
    return record


_FIELDS = {"asked", "version", "image", "images", "gates", "architecture"}


def record_of(asked: str, release: Release) -> dict[str, Any]:
    return {
        "asked": asked,
        "version": release.version,
        "image": release.image,
        "architecture": release.architecture,
        "images": dict(sorted(release.images.items())),
        "gates": {name: {"enabled": on, "disabled": off} for name, (on, off) in sorted(release.gates.items())},
    }


def from_record(record: dict[str, Any]) -> Release:
    return Release(
        version=record["version"],
        image=record["image"],
        images=record["images"],
        gates={name: (tuple(g["enabled"]), tuple(g["disabled"])) for name, g in record["gates"].items()},
        architecture=record["architecture"],
        origin="payload",
    )
