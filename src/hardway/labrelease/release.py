"""The lab release: compiled, packed and put together, in a folder that any reader of OCI images understands."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardway.labrelease import deviations, places
from hardway.labrelease.compile import all as compile
from hardway.labrelease.components import table as components
from hardway.labrelease.components.row import Component
from hardway.labrelease.deviations import Deviation
from hardway.labrelease.images import base, layout
from hardway.labrelease.images import table as images
from hardway.labrelease.images.base import Progress
from hardway.labrelease.images.layout import Blob, Blobs
from hardway.labrelease.images.pack import Packer
from hardway.labrelease.images.table import Set
from hardway.labrelease.materials import uncompiled
from hardway.labrelease.payload import assemble, sources
from hardway.lines.default import DEFAULT
from hardway.registry.signature import trust
from hardway.release.catalogue import release_of

REGISTRY = "127.0.0.1:5000/hardway"
RELEASE = "release"  # the release image's name in the layout

Compile = Callable[[Sequence[Component], Progress], Mapping[str, Path]]
Foundation = Callable[[Blobs, Progress], Blob]


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A release on disk. Its manifests name the images under a repository, the one it is to be pushed to."""

    chosen: Set
    version: str
    repository: str
    folder: Path
    digest: str  # of the release image
    images: Mapping[str, str]  # image-for name to digest
    deviations: tuple[Deviation, ...]

    @property
    def pull_spec(self) -> str:
        return f"{self.repository}@{self.digest}"


def compiled(rows: Sequence[Component], progress: Progress) -> Mapping[str, Path]:
    def tell(name: str, done: int, total: int, what: str) -> None:
        progress(f"compiling {name}: {what}", done, total)

    return compile.compile_all(rows, progress=tell)


def rows_of(chosen: Set) -> list[Component]:
    return [components.component(name) for name in images.components(chosen)]


def to_compile(chosen: Set) -> list[str]:
    """The components that a build of the set would compile, by name."""
    return uncompiled(rows_of(chosen))


def build(
    chosen: Set,
    *,
    registry: str = REGISTRY,
    progress: Progress | None = None,
    folder: Path | None = None,
    programs: Compile = compiled,
    foundation: Foundation = base.layer,
) -> Built:
    """The release of a set, for one repository. What is there already is not made again."""
    tell = progress or (lambda what, done, total: None)
    root = folder or places.cache()
    folders = programs(rows_of(chosen), tell)
    blobs = Blobs(root / "blobs")
    packer = Packer(folders=folders, blobs=blobs, base=foundation(blobs, tell))
    packed = packer.images(chosen, tell)
    missing = stand_ins(chosen, folders)
    every = packed | dict.fromkeys(missing, packed["pod"])
    files = assemble.assemble(
        chosen,
        images={name: f"{registry}@{blob.digest}" for name, blob in every.items()},
        stand_ins=missing,
        folders=folders,
    )
    release = packer.release(files, assemble.version(chosen))
    if folder is None:  # `build 04` believes what this user's cache holds
        trust.remember(release.digest)
    return _keep(chosen, registry, root, blobs, release, every, missing)


def stand_ins(chosen: Set, folders: Mapping[str, Path]) -> list[str]:
    """Names that somebody asks for, and that the set has no image for."""
    known = set(release_of(DEFAULT).images)
    asked = known | assemble.wanted_images(chosen, folders)
    return sorted(asked - {row.name for row in images.of(chosen)})


def _keep(
    chosen: Set,
    registry: str,
    root: Path,
    blobs: Blobs,
    release: Blob,
    every: Mapping[str, Blob],
    missing: Sequence[str],
) -> Built:
    name = f"{chosen}-{release.digest.removeprefix('sha256:')[:12]}"
    return Built(
        chosen=chosen,
        version=assemble.version(chosen),
        repository=registry,
        folder=layout.write(root / "releases" / name, blobs, {**every, RELEASE: release}),
        digest=release.digest,
        images={name: blob.digest for name, blob in every.items()},
        deviations=_deviations(missing),
    )


def _deviations(missing: Sequence[str]) -> tuple[Deviation, ...]:
    elsewhere = {row.name for row in images.TABLE}
    return (
        *deviations.RELEASE,
        *(Deviation(kind="manifest", subject=row.file, why=row.why) for row in sources.LEFT_OUT),
        *(deviations.stand_in(name, other_set=name in elsewhere) for name in missing),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Something of the lab release that takes space."""

    kind: str
    name: str
    bytes: int


def kept(root: Path | None = None) -> list[Kept]:
    """What is in the cache. Releases share the blobs, so each adds next to nothing."""
    place = root or places.cache()
    programs = [Kept(kind="program", name=path.name, bytes=_size(path)) for path in _inside(place / "programs")]
    releases = [
        Kept(kind="release", name=path.name, bytes=_size(path, alone=True)) for path in _inside(place / "releases")
    ]
    unpacked = [Kept(kind="unpacked", name=path.name, bytes=_size(path)) for path in _inside(place / "unpacked")]
    return [*programs, *releases, Kept(kind="blobs", name="blobs", bytes=_size(place / "blobs")), *unpacked]


def clean(root: Path | None = None) -> None:
    """Removes images and releases, packed or unpacked; programs stay, they take long to compile."""
    place = root or places.cache()
    for name in ("releases", "blobs", "unpacked"):
        shutil.rmtree(place / name, ignore_errors=True)


def _inside(folder: Path) -> list[Path]:
    return sorted(p for p in folder.glob("*") if p.is_dir() and not p.name.startswith(".")) if folder.exists() else []


def _size(folder: Path, *, alone: bool = False) -> int:
    """Of all its files, or of those that it shares with nobody."""
    found = [path.stat() for path in folder.rglob("*") if path.is_file()]
    return sum(file.st_size for file in found if not alone or file.st_nlink == 1)
