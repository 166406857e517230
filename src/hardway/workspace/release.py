"""The release that a cluster's folder has read (stage 04), or the embedded catalogue where it has not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardway.io import links
from hardway.lines.find import line_of
from hardway.model.cluster import Brought, Release
from hardway.model.errors import ConfigError
from hardway.release import catalogue
from hardway.workspace.names import RELEASE

RECORD = "release.json"
MANIFESTS = "manifests"  # below release: the payload's files as they are
BROUGHT = "brought"  # in the record: operators, Deployments and types


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
        record = json.loads(links.read(path, below=assets))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or not _is_whole(record):
        raise ConfigError(f"{path}: is damaged.\n    fix: remove {path.parent} and run `hardway build 04` again")
    return record


def _is_whole(record: dict[str, Any]) -> bool:
    texts = (record.get(name) for name in ("asked", "version", "image", "architecture"))
    try:
        images = from_record(record).images.values()
    except (KeyError, TypeError, AttributeError):
        return False
    return all(isinstance(text, str) for text in (*texts, *images))


def record_of(asked: str, release: Release) -> dict[str, Any]:
    return {
        "asked": asked,
        "version": release.version,
        "image": release.image,
        "architecture": release.architecture,
        "images": dict(sorted(release.images.items())),
        "kubernetes": release.kubernetes,
        "standsIn": dict(sorted(release.stands_in.items())),
        "gates": {name: {"enabled": on, "disabled": off} for name, (on, off) in sorted(release.gates.items())},
        BROUGHT: {
            "operators": {name: list(spaces) for name, spaces in release.brought.operators.items()},
            "deployments": list(release.brought.deployments),
            "types": list(release.brought.types),
        },
    }


def from_record(record: dict[str, Any]) -> Release:
    return Release(
        version=record["version"],
        image=record["image"],
        images=record["images"],
        gates={name: (tuple(g["enabled"]), tuple(g["disabled"])) for name, g in record["gates"].items()},
        architecture=record["architecture"],
        origin="payload",
        brought=_brought(record),
        kubernetes=record.get("kubernetes", ""),  # a record of an older version of this program has neither
        stands_in=record.get("standsIn", {}),
    )


def _brought(record: dict[str, Any]) -> Brought:
    """A record of an older version of this program does not say: stage 04 then reads the release again."""
    found = record.get(BROUGHT)
    if found is None:
        line = line_of(record["version"])
        return catalogue.expected(line) if line else Brought()
    return Brought(
        operators={name: tuple(spaces) for name, spaces in found["operators"].items()},
        deployments=tuple(found["deployments"]),
        types=tuple(found["types"]),
    )
