"""A release payload: what the files of a release image's /release-manifests say. No I/O: the registry brings them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from hardway.io.harmless import one_line
from hardway.model.cluster import DEFAULT_FEATURES, Release
from hardway.model.errors import ConfigError
from hardway.release import brought, gates
from hardway.release.documents import EXTENSIONS, defective, refuse
from hardway.release.payload.files import (
    IMAGE_REFERENCES,
    RELEASE_METADATA,
    Metadata,
    References,
    read_metadata,
    read_references,
)

KUBERNETES = "kubernetes"  # the component whose version the operators ask for


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """A release as its image holds it. Making one reads its two files, and refuses what is no release."""

    image: str  # pull spec by digest, or the name of a local image
    files: Mapping[str, bytes] = field(repr=False)  # of /release-manifests, by file name
    platform: str = "amd64"  # what the release image's own configuration says it runs on
    references: References = field(init=False, repr=False)
    metadata: Metadata = field(init=False, repr=False)

    def __post_init__(self) -> None:
        defects: list[str] = []
        references, metadata = read_references(self.files, defects), read_metadata(self.files, defects)
        if references.version and metadata.version and references.version != metadata.version:
            defects.append(f"{IMAGE_REFERENCES} is of {references.version}, {RELEASE_METADATA} of {metadata.version}")
        unreadable = [name for name in self.files if not name.isprintable()]
        defects += [f"{name!r}: a file's name has a character that cannot be printed" for name in unreadable]
        refuse(defects, self.image)
        object.__setattr__(self, "references", references)
        object.__setattr__(self, "metadata", metadata)

    @property
    def version(self) -> str:
        return self.metadata.version

    @property
    def architecture(self) -> str:
        """amd64 and the like, or multi."""
        return self.metadata.architecture or self.platform

    @property
    def digest(self) -> str:
        """The image's digest, with its algorithm; empty for a local image that is named otherwise."""
        return digest_of(self.image)

    @property
    def images(self) -> Mapping[str, str]:
        return self.references.images

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of what the release is made of, by component: kubernetes, machine-os and others."""
        return self.references.versions

    @property
    def kubernetes(self) -> str:
        return self.versions.get(KUBERNETES, "")

    @property
    def previous(self) -> tuple[str, ...]:
        """The versions from which a cluster may be updated to this one."""
        return self.metadata.previous

    @property
    def url(self) -> str:
        """Where the publisher tells about the release."""
        return self.metadata.url

    @property
    def manifests(self) -> Mapping[str, bytes]:
        """What the cluster-version operator would apply, by file name, in its order."""
        return {name: self.files[name] for name in sorted(self.files) if name.endswith(EXTENSIONS)}

    def image_for(self, name: str) -> str:
        return image_for(self.images, name, self.version)

    def release(self) -> Release:
        """The release as the rest of the program knows it."""
        known = gates.read(self.manifests, self.version)
        if DEFAULT_FEATURES not in known:
            raise defective(["no FeatureGate manifest has the gates of the default feature set"], self.image)
        return Release(
            version=self.version,
            image=self.image,
            images=dict(self.images),
            gates=known,
            architecture=self.architecture,
            origin="payload",
            brought=brought.read(self.manifests),
            kubernetes=self.kubernetes,
            stands_in=self.references.stands_in,
        )


def digest_of(image: str) -> str:
    return image.rpartition("@")[2] if "@" in image else ""


def image_for(images: Mapping[str, str], name: str, version: str) -> str:
    """The pull spec of an image by its name in the release."""
    if name in images:
        return images[name]
    near = get_close_matches(name, images, n=3, cutoff=0.6)
    fix = f"did you mean {one_line(' or '.join(near))}?" if near else "`hardway release info --images` lists them"
    raise ConfigError(f"release {version} has no image of the name {one_line(name)}.\n    fix: {fix}")
