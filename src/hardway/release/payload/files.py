"""The two files every release has beside its manifests: image-references and release-metadata.

Each reader adds what is wrong to a list, so that all of it can be said at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hardway.lines.default import DEFAULT
from hardway.model.errors import ConfigError
from hardway.release.documents import section
from hardway.release.reference import Reference

IMAGE_REFERENCES = "image-references"
RELEASE_METADATA = "release-metadata"
BUILD_VERSIONS = "io.openshift.build.versions"
BUILD_SOURCE = "io.openshift.build.source-location"
STANDS_IN = "hardway.lab/stands-in"  # which image of a lab's release there is in place of the real one
ARCHITECTURE = "release.openshift.io/architecture"
METADATA_KIND = "cincinnati-metadata-v0"
_SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """image-references: an ImageStream that names every image of the release."""

    version: str = ""
    images: Mapping[str, str] = field(default_factory=dict)  # image-for name -> pull spec
    versions: Mapping[str, str] = field(default_factory=dict)  # of components, such as kubernetes
    sources: Mapping[str, str] = field(default_factory=dict)  # image-for name -> the repository it was built from
    stands_in: Mapping[str, str] = field(default_factory=dict)  # image-for name -> the image in its place


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """release-metadata: which release it is, and from which versions one may update to it."""

    version: str = ""
    previous: tuple[str, ...] = ()
    url: str = ""
    architecture: str = ""  # "multi", or empty for a release of one architecture


def _json(files: Mapping[str, bytes], name: str, defects: list[str]) -> dict[str, Any] | None:
    if name not in files:
        defects.append(f"{name}: not found among its manifests, so it is not a release")
        return None
    try:
        body = json.loads(files[name])
    except (ValueError, RecursionError) as error:
        defects.append(f"{name}: not JSON: {error}")
        return None
    if not isinstance(body, dict):
        defects.append(f"{name}: a JSON object is expected")
        return None
    return body


def read_references(files: Mapping[str, bytes], defects: list[str]) -> References:
    body = _json(files, IMAGE_REFERENCES, defects)
    if body is None:
        return References()
    if body.get("kind") != "ImageStream" or not str(body.get("apiVersion", "")).startswith("image.openshift.io/"):
        defects.append(
            f"{IMAGE_REFERENCES}: an ImageStream is expected, this is {body.get('kind') or 'something else'}"
        )
        return References()
    name = section(body, "metadata").get("name")
    if not isinstance(name, str) or not name:
        defects.append(f"{IMAGE_REFERENCES}: metadata.name, the release's version, is missing")
        name = ""
    tags = section(body, "spec").get("tags")
    rows = [tag for tag in tags if isinstance(tag, dict)] if isinstance(tags, list) else []
    if not rows:
        defects.append(f"{IMAGE_REFERENCES}: spec.tags names no images")
    return References(
        version=name,
        images=_images(rows, defects),
        versions=_versions(rows),
        sources=_annotated(rows, BUILD_SOURCE),
        stands_in=_annotated(rows, STANDS_IN),
    )


def _images(tags: list[dict[str, Any]], defects: list[str]) -> dict[str, str]:
    images: dict[str, str] = {}
    for number, tag in enumerate(tags):
        name, source = tag.get("name"), section(tag, "from")
        spec = source.get("name")
        if not isinstance(name, str) or not name:
            defects.append(f"{IMAGE_REFERENCES}: spec.tags[{number}] has no name")
        elif name in images:
            defects.append(f"{IMAGE_REFERENCES}: {name} is named twice")
        elif source.get("kind", "DockerImage") != "DockerImage" or not isinstance(spec, str) or not spec:
            defects.append(f"{IMAGE_REFERENCES}: {name} has no from.name, the image it stands for")
        elif not _is_reference(spec):
            defects.append(f"{IMAGE_REFERENCES}: spec.tags[{number}].from.name is not the name of an image")
        else:
            images[name] = spec
    return images


def _is_reference(spec: str) -> bool:
    """It becomes a word of podman's command line, where anything else could be an option."""
    try:
        return bool(Reference.parse(spec))
    except ConfigError:
        return False


def _annotated(tags: list[dict[str, Any]], key: str) -> dict[str, str]:
    found = ((tag.get("name"), section(tag, "annotations").get(key)) for tag in tags)
    return {str(name): value for name, value in found if name and isinstance(value, str) and value}


def _versions(tags: list[dict[str, Any]]) -> dict[str, str]:
    """Component versions that the images' builds declared; of several, the highest."""
    versions: dict[str, str] = {}
    for declared in _annotated(tags, BUILD_VERSIONS).values():
        for pair in declared.split(","):
            component, _, version = pair.strip().partition("=")
            if component and version and _order(version) > _order(versions.get(component, "")):
                versions[component] = version
    return versions


def _order(version: str) -> list[tuple[int, str]]:
    """As numbers: the longer one is the larger. None is too long to be compared, as it would be to be read."""
    return [(len(number), number) for number in re.findall(r"0*([0-9]+)", version)]


def read_metadata(files: Mapping[str, bytes], defects: list[str]) -> Metadata:
    body = _json(files, RELEASE_METADATA, defects)
    if body is None:
        return Metadata()
    if body.get("kind") != METADATA_KIND:
        defects.append(f"{RELEASE_METADATA}: kind {METADATA_KIND} is expected, this is {body.get('kind')!r}")
        return Metadata()
    version = body.get("version")
    if not isinstance(version, str) or not _SEMANTIC.fullmatch(version):
        defects.append(f"{RELEASE_METADATA}: {version!r} is not a version such as {DEFAULT.release}")
        version = ""
    more = section(body, "metadata")
    architecture = more.get(ARCHITECTURE, "")
    if architecture not in ("", "multi"):
        defects.append(
            f"{RELEASE_METADATA}: architecture {architecture!r}: the operator that reads it supports multi only"
        )
    previous = body.get("previous")
    return Metadata(
        version=version,
        previous=tuple(str(v) for v in previous) if isinstance(previous, list) else (),
        url=str(more.get("url", "")),
        architecture=architecture if architecture == "multi" else "",
    )
