"""Which releases a lab has had: the one that it was installed from, and those that were put in later.

A release is known by its digest. The record says what of it came from checkouts, so that the same release, or one that
differs in one component, can be made again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardway.io import atomic
from hardway.lab.paths import LabPaths
from hardway.labrelease import release
from hardway.labrelease.checkouts.made import Made, read
from hardway.labrelease.images.table import Set
from hardway.labrelease.release import Built
from hardway.model.errors import ConfigError

FILE = "releases.json"
_TOLD = ("name", "describe", "commit", "dirty")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A release that the lab has had."""

    chosen: Set
    images: Mapping[str, str]  # image-for name to digest
    made: tuple[Made, ...]


def installed(paths: LabPaths) -> tuple[Made, ...]:
    """What came from checkouts in the release that nodes are made from; nothing, if the lab is new."""
    return read(_rows(paths).get("installed", {}).get("sources", ()), f"lab {paths.name}")


def find(paths: LabPaths, digest: str) -> Known | None:
    found = _rows(paths).get("releases", {}).get(digest)
    if found is None:
        return None
    return Known(chosen=found["set"], images=found["images"], made=read(found["sources"], f"lab {paths.name}"))


def sources(paths: LabPaths, image: str) -> list[dict[str, Any]]:
    """What came from checkouts in the release that is pulled by this name, also if what was compiled is gone; without
    a name, in the one that was installed."""
    rows = _rows(paths)
    known = rows.get("releases", {}).get(image.rpartition("@")[2]) if image else rows.get("installed")
    return [{key: row[key] for key in _TOLD} for row in (known or {}).get("sources", ())]


def keep(paths: LabPaths, built: Built, *, install: bool = False) -> None:
    sources = [row.as_dict() for row in built.made]
    rows = _rows(paths)
    known = {"set": built.chosen, "sources": sources, "images": dict(built.images)}
    rows["releases"] = {**rows.get("releases", {}), built.digest: known}
    if install:
        rows["installed"] = {"sources": sources}
    atomic.write(_file(paths), f"{json.dumps(rows, indent=2)}\n".encode(), atomic.PUBLIC)


def choose(paths: LabPaths, name: str) -> tuple[Set, tuple[Made, ...]]:
    """The release of that name, for a lab that has no nodes of another one."""
    chosen, made = release.recorded(name)
    if paths.laid_out() and [row.as_dict() for row in made] != [row.as_dict() for row in installed(paths)]:
        raise ConfigError(
            f"--release {name}: lab {paths.name} has nodes of another release, and was left as it is.\n"
            "    fix: `hardway lab replace NAME=DIR` changes a component of a lab that is up; or use another folder"
        )
    return chosen, made


def _file(paths: LabPaths) -> Path:
    return paths.folder / FILE


def _rows(paths: LabPaths) -> dict[str, Any]:
    try:
        found = json.loads(_file(paths).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
