"""An image: resolved to a digest, its layers read newest first and only as far as needed."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, BinaryIO, Protocol

from hardway.registry import manifest as manifests
from hardway.registry.access import Access, Progress, silent
from hardway.registry.cache import Cache
from hardway.registry.errors import Damaged
from hardway.registry.layer import Room, read_layer
from hardway.registry.layout import Layout
from hardway.registry.manifest import Descriptor, Manifest
from hardway.registry.merge import Merged
from hardway.registry.remote import Remote
from hardway.release import reference as references
from hardway.release.reference import Local, Reference

_DEEPEST = 3  # a folder's index, a list of architectures, an image


class Source(Protocol):
    """Where an image comes from: a registry with its mirrors, or a folder."""

    @property
    def received(self) -> int: ...
    def find(self) -> str: ...
    def manifest(self, digest: str, progress: Progress) -> bytes: ...
    def blob(self, blob: Descriptor, progress: Progress) -> BinaryIO: ...
    def layer(self, blob: Descriptor, plain: str, progress: Progress) -> BinaryIO: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """Use it in a `with` block: connections stay open until its end."""

    reference: Reference | Local  # by the digest of what was named: a list's own, where it is a list
    digest: str  # the image's own, for this architecture
    manifest: Manifest
    source: Source
    progress: Progress = silent

    def __enter__(self) -> Image:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.source.close()

    @property
    def layers(self) -> tuple[Descriptor, ...]:
        """The oldest first."""
        return self.manifest.layers

    @property
    def received(self) -> int:
        """The bytes that came over the wire so far."""
        return self.source.received

    def config(self) -> Mapping[str, Any]:
        assert self.manifest.config is not None
        with self.source.blob(self.manifest.config, self.progress) as stream:
            content = stream.read(manifests.LARGEST)
        try:
            return dict(json.loads(content))
        except (ValueError, TypeError, RecursionError):
            raise Damaged(f"{self.reference}: its configuration is not JSON", fix="build the image again") from None

    def architecture(self) -> str:
        return str(self.config().get("architecture", ""))

    def _plain_digests(self) -> tuple[str, ...]:
        """Of the layers without their compression; empty where the configuration does not say."""
        match self.config():
            case {"rootfs": {"diff_ids": [*found]}} if len(found) == len(self.layers):
                return tuple(str(digest) for digest in found)
        return ("",) * len(self.layers)

    def extract(self, prefix: str, *, enough: Collection[str] = ()) -> dict[str, bytes]:
        """The files below a folder, by their names relative to it. Layers are read newest first; with `enough`,
        no further than the layer that brings the last of these names. A link out of the folder is an error."""
        folder = prefix.strip("/")
        merged, room = Merged(where=str(self.reference)), Room()
        for layer, plain in reversed(tuple(zip(self.layers, self._plain_digests(), strict=True))):
            with self.source.layer(layer, plain, self.progress) as stream:
                merged.add(read_layer(stream, folder, f"{self.reference}: layer {layer.digest}", room))
            if merged.closed or (enough and all(name in merged.files for name in enough)):
                break
        return merged.result()


def open_image(text: str, access: Access, cache: Cache, progress: Progress | None = None) -> Image:
    """The image that a reference names, for the architecture that is asked for."""
    named = references.parse(text, access.architecture)
    report = progress or silent
    source: Source = Layout(named) if isinstance(named, Local) else Remote(named, access, cache)
    try:
        top = source.find()
        digest, manifest = _resolved(source, top, access.architecture, str(named), report)
    except BaseException:
        source.close()
        raise
    return Image(reference=named.at(top), digest=digest, manifest=manifest, source=source, progress=report)


def _resolved(source: Source, digest: str, architecture: str, where: str, report: Progress) -> tuple[str, Manifest]:
    for _ in range(_DEEPEST):
        manifest = manifests.parse(source.manifest(digest, report), where)
        if manifest.config is not None:
            return digest, manifest
        digest = manifests.choose(manifest.entries, architecture, where).digest
    raise Damaged(f"{where}: an index of indexes, without an image", fix="check the name")
