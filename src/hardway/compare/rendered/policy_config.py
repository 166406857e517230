"""What cluster-policy-controller's configuration file says: controllers and gates by name, the rest field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardway.compare.row import Difference
from hardway.compare.values import pairs

THING = "cluster-policy-controller's configuration file"
EVERY = {"all": "on"}  # what the program does if the file names no controller


def differences(theirs: Mapping[str, Any] | None, ours: Mapping[str, Any] | None) -> Iterator[Difference]:
    if theirs is not None:
        yield from (Difference(THING, *pair, "config") for pair in pairs(_meaning(theirs), _meaning(ours or {})))


def _meaning(config: Mapping[str, Any]) -> dict[str, Any]:
    gates = (str(one).partition("=") for one in config.get("featureGates") or ())
    controllers = {str(name): "on" for name in config.get("controllers") or ()}
    return {**config, "featureGates": {name: value for name, _, value in gates}, "controllers": controllers or EVERY}
