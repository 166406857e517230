"""The embedded catalogue: what is known of the public 4.18.0 release without any network."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from hardway.model.cluster import Release

VERSIONS = ("4.18.0",)


@cache
def _read(name: str) -> Any:
    return json.loads(files(__package__).joinpath(name).read_text())


def release_for(version: str) -> Release:
    """The release of that version; KeyError if the catalogue does not know it."""
    if version not in VERSIONS:
        raise KeyError(version)
    facts = _read(f"{version}.json")
    repository = facts["releaseImage"].rsplit(":", 1)[0]
    return Release(
        version=version,
        image=f"{repository}@{facts['releaseDigest']}",
        images=facts["images"],
    )


def feature_gates(feature_set: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The gates that 4.18 enables and disables under a feature set on a self-managed cluster."""
    known = _read("feature-gates-4.18.json")
    gates = known.get(feature_set or "Default", known["Default"])
    return tuple(gates["enabled"]), tuple(gates["disabled"])
