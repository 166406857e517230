"""The CoreOS stream of a release: where its boot images are and what their checksums must be.

The installer puts it into the payload as a ConfigMap; the machines that are installed with these images update
themselves to the release's own operating system afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardway.model.errors import ToolError
from hardway.release.documents import defective, of_kind, refuse, section

NAME = "coreos-bootimages"
KEY = "stream"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}  # Kubernetes' names -> the stream's


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """One file to download."""

    architecture: str  # x86_64
    platform: str  # metal, qemu
    format: str  # iso, pxe, raw.gz, 4k.raw.gz, qcow2.gz
    part: str  # disk; of pxe: kernel, initramfs, rootfs
    release: str  # of CoreOS, which counts for itself
    location: str
    sha256: str  # of the file as it is downloaded
    uncompressed_sha256: str  # of what is inside, where it is compressed

    @property
    def label(self) -> str:
        return f"{self.architecture} {self.platform} {self.format} {self.part}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    name: str  # rhcos-MINOR
    artifacts: tuple[Artifact, ...]

    def of(self, architecture: str, *, platforms: Sequence[str]) -> tuple[Artifact, ...]:
        """The images for an architecture, or for all where a release is for several."""
        wanted = _ARCHITECTURES.get(architecture, architecture)
        return tuple(a for a in self.artifacts if a.platform in platforms and wanted in (a.architecture, "multi"))

    def artifact(self, platform: str, format: str, part: str = "disk", *, architecture: str = "amd64") -> Artifact:
        wanted = (_ARCHITECTURES.get(architecture, architecture), platform, format, part)
        for artifact in self.artifacts:
            if (artifact.architecture, artifact.platform, artifact.format, artifact.part) == wanted:
                return artifact
        near = sorted(a.label for a in self.artifacts if a.architecture == wanted[0] and a.platform == platform)
        some = near or sorted({f"{a.architecture} {a.platform}" for a in self.artifacts})
        raise ToolError(f"{self.name} has no {' '.join(wanted)}.\n    fix: it has {', '.join(some) or 'nothing'}")


def find(manifests: Mapping[str, bytes]) -> Stream | None:
    """The stream of a release, if it has one: the manifest is told by what it is, not by its file's name."""
    for document in of_kind(manifests, "ConfigMap", ""):
        if document.name == NAME:
            return _parse(document.file, section(document.body, "data").get(KEY))
    return None


def read(manifests: Mapping[str, bytes]) -> Stream:
    if stream := find(manifests):
        return stream
    raise ToolError(
        f"this release has no ConfigMap {NAME}, so it does not say which CoreOS its machines boot.\n"
        "    fix: name a release that has one, or name the image to boot yourself"
    )


def _parse(file: str, text: Any) -> Stream:
    try:
        body = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise defective([f"{file}: data.{KEY} is not JSON: {error}"]) from None
    artifacts = tuple(_artifacts(body))
    refuse([f"{file}: {defect}" for artifact in artifacts for defect in _defects(artifact)])
    if not artifacts:
        raise defective([f"{file}: data.{KEY} names no images"])
    return Stream(name=str(body.get("stream") or "the stream"), artifacts=artifacts)


def _artifacts(body: Any) -> Iterator[Artifact]:
    for architecture, known in section(body, "architectures").items():
        for platform, offer in section(known, "artifacts").items():
            for format, parts in section(offer, "formats").items():
                for part, row in section(parts).items():
                    row = section(row)
                    yield Artifact(
                        architecture=architecture,
                        platform=platform,
                        format=format,
                        part=part,
                        release=str(offer.get("release", "")),
                        location=str(row.get("location", "")),
                        sha256=str(row.get("sha256", "")),
                        uncompressed_sha256=str(row.get("uncompressed-sha256", "")),
                    )


def _defects(artifact: Artifact) -> Iterator[str]:
    if not artifact.location.startswith(("https://", "http://")):
        yield f"{artifact.label} has no address"
    if not _SHA256.fullmatch(artifact.sha256):
        yield f"{artifact.label} has no sha256"
    if artifact.uncompressed_sha256 and not _SHA256.fullmatch(artifact.uncompressed_sha256):
        yield f"{artifact.label} has an invalid uncompressed-sha256"
