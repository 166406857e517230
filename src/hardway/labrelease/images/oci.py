"""Images: layers, and the two JSON documents that make them one. The same layers give the same digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from hardway.labrelease.images.layers import DATE
from hardway.labrelease.images.layout import MANIFEST, Blob, Blobs, canonical

CONFIG = "application/vnd.oci.image.config.v1+json"
CREATED = datetime.fromtimestamp(DATE, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    layers: Sequence[Blob]  # the lowest first
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    user: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    environment: tuple[str, ...] = (PATH,)


def make(recipe: Recipe, blobs: Blobs) -> Blob:
    """The image's manifest, stored with its configuration beside the layers."""
    config = blobs.add(canonical(_config(recipe)), CONFIG)
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config.as_dict(),
        "layers": [layer.as_dict() for layer in recipe.layers],
    }
    return blobs.add(canonical(manifest), MANIFEST)


def _config(recipe: Recipe) -> dict[str, object]:
    settings: dict[str, object] = {"Env": list(recipe.environment), "Labels": dict(recipe.labels), "WorkingDir": "/"}
    if recipe.entrypoint:
        settings["Entrypoint"] = list(recipe.entrypoint)
    if recipe.command:
        settings["Cmd"] = list(recipe.command)
    if recipe.user:
        settings["User"] = recipe.user
    return {
        "created": CREATED,
        "architecture": "amd64",
        "os": "linux",
        "config": settings,
        "rootfs": {"type": "layers", "diff_ids": [layer.digest for layer in recipe.layers]},
        "history": [{"created": CREATED, "created_by": "hardway lab release build"} for _ in recipe.layers],
    }
