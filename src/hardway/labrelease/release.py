"""The lab release: compiled, packed and put together, in a folder that any reader of OCI images understands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardway.labrelease import deviations, places
from hardway.labrelease.checkouts.made import NONE, Added, Made
from hardway.labrelease.checkouts.made import read as read_made
from hardway.labrelease.checkouts.read import Checkout
from hardway.labrelease.compile import all as compile
from hardway.labrelease.compile.checkout import MARK, compile_checkouts
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
from hardway.model.errors import ConfigError
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
    made: tuple[Made, ...] = ()  # from checkouts

    @property
    def pull_spec(self) -> str:
        return f"{self.repository}@{self.digest}"


def compiled(rows: Sequence[Component], progress: Progress) -> Mapping[str, Path]:
    def tell(name: str, done: int, total: int, what: str) -> None:
        progress(f"compiling {name}: {what}", done, total)

    return compile.compile_all(rows, progress=tell)


def from_checkouts(checkouts: Sequence[Checkout], progress: Progress) -> tuple[Made, ...]:
    """Compiled, each from its checkout as it is now."""

    def tell(name: str, done: int, total: int, what: str) -> None:
        progress(f"compiling {name}: your checkout, {what}", done, total)

    return compile_checkouts(checkouts, progress=tell)


def rows_of(chosen: Set, without: Collection[str] = ()) -> list[Component]:
    """The pinned components of a set, apart from those that come from elsewhere."""
    return [components.component(name) for name in images.components(chosen) if name not in without]


def to_compile(chosen: Set, without: Collection[str] = ()) -> list[str]:
    """The components that a build of the set would compile, by name."""
    return uncompiled(rows_of(chosen, without))


def build(
    chosen: Set,
    *,
    registry: str = REGISTRY,
    progress: Progress | None = None,
    folder: Path | None = None,
    made: Sequence[Made] = (),
    programs: Compile = compiled,
    foundation: Foundation = base.layer,
) -> Built:
    """The release of a set, for one repository, with components from checkouts. What is there already is not made
    again."""
    tell = progress or (lambda what, done, total: None)
    root = folder or places.cache()
    added = Added(made=tuple(made))
    folders = {**programs(rows_of(chosen, added.names), tell), **added.folders}
    blobs = Blobs(root / "blobs")
    packer = Packer(folders=folders, blobs=blobs, base=foundation(blobs, tell), added=added)
    packed = packer.images(chosen, tell)
    missing = stand_ins(chosen, folders, added)
    every = packed | dict.fromkeys(missing, packed["pod"])
    files = assemble.assemble(
        chosen,
        images={name: f"{registry}@{blob.digest}" for name, blob in every.items()},
        stand_ins=missing,
        folders=folders,
        added=added,
    )
    release = packer.release(files, assemble.version(chosen))
    if folder is None:  # `build 04` believes what this user's cache holds
        trust.remember(release.digest)
    return _keep(chosen, registry, root, blobs, release, every, missing, added)


def stand_ins(chosen: Set, folders: Mapping[str, Path], added: Added = NONE) -> list[str]:
    """Names that somebody asks for, and that the release has no image for."""
    known = set(release_of(DEFAULT).images)
    asked = known | assemble.wanted_images(chosen, folders, added)
    return sorted(asked - {row.name for row in (*images.of(chosen), *added.images)})


def _keep(
    chosen: Set,
    registry: str,
    root: Path,
    blobs: Blobs,
    release: Blob,
    every: Mapping[str, Blob],
    missing: Sequence[str],
    added: Added,
) -> Built:
    name = f"{chosen}-{release.digest.removeprefix('sha256:')[:12]}"
    record = {"set": chosen, "sources": [row.as_dict() for row in added.made]}
    return Built(
        chosen=chosen,
        version=assemble.version(chosen),
        repository=registry,
        folder=layout.write(root / "releases" / name, blobs, {**every, RELEASE: release}, record),
        digest=release.digest,
        images={name: blob.digest for name, blob in every.items()},
        deviations=_deviations(chosen, missing),
        made=added.made,
    )


def recorded(name: str, root: Path | None = None) -> tuple[Set, tuple[Made, ...]]:
    """The set of a release that is kept, and what of it came from checkouts."""
    folder = (root or places.cache()) / "releases" / Path(name).name
    try:
        found = json.loads((folder / layout.RECORD).read_bytes())
        chosen: Set = found["set"]
    except (OSError, ValueError, KeyError):
        raise ConfigError(
            f"--release {name}: no release of this name is kept, or an older hardway made it.\n"
            "    fix: `hardway lab release list --all` names those that are kept"
        ) from None
    return chosen, read_made(found["sources"], f"--release {name}")


def _deviations(chosen: Set, missing: Sequence[str]) -> tuple[Deviation, ...]:
    elsewhere = {row.name for row in images.TABLE}
    return (
        *deviations.RELEASE,
        *(Deviation(kind="manifest", subject=row.file, why=row.why) for row in sources.LEFT_OUT if chosen in row.sets),
        *(deviations.stand_in(name, other_set=name in elsewhere) for name in missing),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Something of the lab release that takes space."""

    kind: str
    name: str
    bytes: int


def kept(root: Path | None = None) -> list[Kept]:
    """What is in the cache. Releases share the blobs, so each adds next to nothing; the newest comes first."""
    place = root or places.cache()
    programs = [Kept(kind="program", name=path.name, bytes=_size(path)) for path in _inside(place / "programs")]
    releases = [
        Kept(kind="release", name=path.name, bytes=_size(path, alone=True))
        for path in sorted(_inside(place / "releases"), key=lambda path: path.stat().st_mtime, reverse=True)
    ]
    unpacked = [Kept(kind="unpacked", name=path.name, bytes=_size(path)) for path in _inside(place / "unpacked")]
    blobs = Kept(kind="blobs", name="blobs", bytes=_size(place / "blobs"))
    cached = [Kept(kind="cache", name=path.name, bytes=_size(path)) for path in _inside(place / "checkouts")]
    return [*programs, *releases, blobs, *unpacked, *cached]


def names(root: Path | None = None) -> list[str]:
    """Of the releases that are kept."""
    return [path.name for path in _inside((root or places.cache()) / "releases")]


def removable(root: Path | None = None) -> list[Path]:
    """Images and releases, packed or unpacked, and what came from checkouts; pinned programs stay, they take long to
    compile."""
    place = root or places.cache()
    folders = [place / name for name in ("releases", "blobs", "unpacked", "checkouts", places.CONFORMANCE)]
    return [*filter(Path.is_dir, folders), *sorted((place / "programs").glob(f"*{MARK}*"))]


def clean(root: Path | None = None) -> None:
    for folder in removable(root):
        shutil.rmtree(folder, ignore_errors=True)


def _inside(folder: Path) -> list[Path]:
    return sorted(p for p in folder.glob("*") if p.is_dir() and not p.name.startswith(".")) if folder.exists() else []


def _size(folder: Path, *, alone: bool = False) -> int:
    """Of all its files, or of those that it shares with nobody."""
    found = [path.stat() for path in folder.rglob("*") if path.is_file()]
    return sum(file.st_size for file in found if not alone or file.st_nlink == 1)
