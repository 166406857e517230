"""Packs the images of a set: the rows of `images.py` become layers, and the layers images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hardway.labrelease.checkouts.made import NONE, Added
from hardway.labrelease.images import files as images_files
from hardway.labrelease.images import layers
from hardway.labrelease.images import oci as image
from hardway.labrelease.images.base import Progress
from hardway.labrelease.images.layers import Entry
from hardway.labrelease.images.layout import Blob, Blobs
from hardway.labrelease.images.table import RELEASE_ENTRYPOINT, RELEASE_PARTS, Data, Image, Own, Part, Set, of
from hardway.model.errors import ToolError

LABEL = "io.openshift.release.operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Packer:
    """The components' folders, the base that images stand on, and where blobs go."""

    folders: Mapping[str, Path]
    blobs: Blobs
    base: Blob
    added: Added = NONE
    made: dict[Part, Blob] = field(default_factory=dict)

    def images(self, chosen: Set, progress: Progress) -> dict[str, Blob]:
        rows = (*of(chosen), *self.added.images)
        packed = {}
        for number, row in enumerate(rows):
            progress(f"packing: {row.name}", number, len(rows))
            packed[row.name] = self.image(row)
        progress("packing", len(rows), len(rows))
        return packed

    def image(self, row: Image) -> Blob:
        below = [self.base] if row.on_base else []
        recipe = image.Recipe(
            layers=[*below, *(self.layer(part) for part in row.parts)],
            entrypoint=row.entrypoint,
            command=row.command,
            user=row.user,
            labels=({LABEL: "true"} if row.operator else {}) | self.added.labels(row),
        )
        return image.make(recipe, self.blobs)

    def release(self, payload: Mapping[str, bytes], version: str) -> Blob:
        """CVO's image with the payload on top: who looks for the payload finds it in the newest layer."""
        files = [Entry(path=f"release-manifests/{name}", source=content) for name, content in payload.items()]
        below = [self.base, *(self.layer(part) for part in RELEASE_PARTS)]
        recipe = image.Recipe(
            layers=[*below, layers.pack(files, self.blobs)],
            entrypoint=RELEASE_ENTRYPOINT,
            labels={"io.openshift.release": version},
        )
        return image.make(recipe, self.blobs)

    def layer(self, part: Part) -> Blob:
        if part not in self.made:
            self.made[part] = layers.pack(self._entries(part), self.blobs)
        return self.made[part]

    def _entries(self, part: Part) -> list[Entry]:
        if isinstance(part, Own):
            sources = images_files.Sources(blobs=self.blobs, base=self.base, folders=self.folders)
            return images_files.entries(part.name, sources)
        if isinstance(part, Data):
            return self._data(part)
        first, *others = part.names
        links = [Entry(path=f"usr/bin/{name}", link=first) for name in others]
        return [layers.program(first, self.folders[part.component] / "bin" / part.name), *links]

    def _data(self, part: Data) -> list[Entry]:
        found = layers.folder(self.folders[part.component] / "data" / part.folder, part.target)
        if not found:
            raise ToolError(
                f"{part.component} has no files in {part.folder}.\n"
                "    fix: the component's row in labrelease/components/table.py must name that folder as data"
            )
        return found
