"""The embedded catalogue: what is known of the public 4.18.0 release without any network."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from hardway.model.cluster import Gates, Release

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
        gates=feature_gates(),
    )


@cache
def feature_gates() -> dict[str, Gates]:
    """The gates that 4.18 enables and disables on a self-managed cluster, by feature set."""
    known = _read("feature-gates-4.18.json")
    return {name: (tuple(gates["enabled"]), tuple(gates["disabled"])) for name, gates in known.items()}
