"""A component that was compiled from a checkout, and the record of it that a release keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardway.labrelease import places
from hardway.labrelease.checkouts import described
from hardway.labrelease.checkouts.git import State
from hardway.labrelease.checkouts.row import Kit
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.labrelease.images.table import Image
from hardway.labrelease.payload.sources import Source
from hardway.model.errors import ToolError

COMMIT, DESCRIBE, DIRTY = "io.openshift.build.commit.id", "hardway.lab/describe", "hardway.lab/dirty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    kit: Kit
    folder: Path  # with bin/ and data/, as of any component
    state: State

    @property
    def name(self) -> str:
        return self.kit.name

    @property
    def labels(self) -> dict[str, str]:
        """Of every image that has something of it."""
        commit = {COMMIT: self.state.commit} if self.state.commit else {}
        return {**commit, DESCRIBE: self.state.told, DIRTY: str(self.state.dirty).lower()}

    def as_dict(self) -> dict[str, Any]:
        about = {"described": self.kit.described} if self.kit.described else {}
        return {"name": self.name, "folder": self.folder.name, **self.state.as_dict(), **about}


def read(rows: Iterable[Mapping[str, Any]], what: str) -> tuple[Made, ...]:
    """From a record, if what was compiled is still there."""
    return tuple(_read(row, what) for row in rows)


def _read(row: Mapping[str, Any], what: str) -> Made:
    folder = places.programs() / Path(str(row["folder"])).name
    kit = described.parsed(str(row["described"])) if row.get("described") else BY_NAME.get(str(row["name"]))
    if kit is None or not folder.is_dir():
        raise ToolError(
            f"{what}: {row['name']} was compiled from a checkout, and {folder} is gone.\n"
            f"    fix: build the release again with --source {row['name']}=DIR"
        )
    state = State(describe=str(row["describe"]), commit=str(row["commit"]), dirty=row["dirty"] is True)
    return Made(kit=kit, folder=folder, state=state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What components from checkouts add to a set of the release."""

    made: tuple[Made, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        return frozenset(row.name for row in self.made)

    @property
    def folders(self) -> dict[str, Path]:
        return {row.name: row.folder for row in self.made}

    @property
    def images(self) -> tuple[Image, ...]:
        return tuple(image for row in self.made for image in row.kit.images)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(source for row in self.made for source in row.kit.sources)

    @property
    def operators(self) -> frozenset[str]:
        return frozenset(name for row in self.made for name in row.kit.operators)

    def labels(self, image: Image) -> dict[str, str]:
        """Of the components that the image has something of."""
        return {name: value for row in self.made if image in row.kit.packed for name, value in row.labels.items()}


NONE = Added()
