"""Manifests and their lists, of Docker's kind and of OCI's: read with suspicion."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardway.registry.digest import is_digest
from hardway.registry.errors import Damaged, NoArchitecture, Unsupported

LARGEST = 4 << 20  # what registries themselves accept
TAG = "org.opencontainers.image.ref.name"
_KINDS = (
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.docker.distribution.manifest.v2+json",
)
ACCEPT = ", ".join(_KINDS)
_CONFIGS = ("application/vnd.oci.image.config.v1+json", "application/vnd.docker.container.image.v1+json")
_FIX = "check that the name is that of an image; if so, have it pushed again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    media_type: str
    digest: str
    size: int
    architecture: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Either a list (`entries`) or an image (`config` and `layers`, the oldest first)."""

    document: Mapping[str, Any]
    entries: tuple[Descriptor, ...] = ()
    config: Descriptor | None = None
    layers: tuple[Descriptor, ...] = ()


def parse(content: bytes, where: str) -> Manifest:
    document = _document(content, where)
    if "fsLayers" in document or document.get("schemaVersion") == 1:
        raise Unsupported(f"{where}: a manifest of the old schema 1", fix="copy the image again with skopeo or podman")
    listed, layered = "manifests" in document, "layers" in document
    if listed == layered:
        raise Damaged(f"{where}: neither an image's manifest nor a list of manifests", fix=_FIX)
    if listed:
        return Manifest(document=document, entries=_descriptors(document["manifests"], where))
    (config,) = _descriptors([document.get("config")], where)
    if config.media_type not in _CONFIGS:
        raise Unsupported(f"{where}: an artifact ({config.media_type!r}), not an image", fix="check the name")
    return Manifest(document=document, config=config, layers=_descriptors(document["layers"], where))


def choose(entries: tuple[Descriptor, ...], architecture: str, where: str) -> Descriptor:
    """The entry for the architecture; one that says none counts if it is alone."""
    for entry in entries:
        if entry.architecture == architecture:
            return entry
    if len(entries) == 1 and not entries[0].architecture:
        return entries[0]
    known = sorted({e.architecture for e in entries} - {"", "unknown"})
    raise NoArchitecture(
        f"{where}: has no image for {architecture}, only for {', '.join(known) or 'none that is named'}",
        fix="name an image for this architecture, or another architecture",
    )


def _document(content: bytes, where: str) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise Damaged(f"{where}: the manifest is not a JSON object", fix=_FIX)
    return document


def _descriptors(rows: Any, where: str) -> tuple[Descriptor, ...]:
    if not isinstance(rows, list):
        raise Damaged(f"{where}: the manifest's lists are no lists", fix=_FIX)
    return tuple(_descriptor(row, where) for row in rows)


def _descriptor(row: Any, where: str) -> Descriptor:
    fields = row if isinstance(row, dict) else {}
    digest, size = fields.get("digest"), fields.get("size")
    if not isinstance(digest, str) or not is_digest(digest) or type(size) is not int or size < 0:
        raise Damaged(f"{where}: the manifest names content without a sha256 digest and a size", fix=_FIX)
    platform, annotations = (
        v if isinstance(v, dict) else {} for v in (fields.get("platform"), fields.get("annotations"))
    )
    return Descriptor(
        media_type=str(fields.get("mediaType", "")),
        digest=digest,
        size=size,
        architecture=str(platform.get("architecture", "")),
        tag=str(annotations.get(TAG, "")),
    )
