"""Images unpacked once for all nodes: a store that every node's CRI-O reads beside its own.

Those that every lab has are unpacked once for all labs, in the cache, and a lab's store begins with links to them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from hardway.io.folder import new_folder
from hardway.io.lock import in_turn
from hardway.lab.paths import LabPaths
from hardway.labrelease import places
from hardway.tools.run import attempt, run

Progress = Callable[[str, int, int], None]

PLACE = "/var/lib/images"
"""On a node, and read-only there."""

SECONDS = 900.0


def folder(paths: LabPaths) -> Path:
    return paths.folder / "images"


def prepare(paths: LabPaths) -> Path:
    """An empty store, if there is none: nodes read it and cannot make what is missing."""
    for kind in ("images", "layers"):
        place = folder(paths) / f"overlay-{kind}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{kind}.lock").touch(mode=0o644)
    (folder(paths) / "overlay").mkdir(exist_ok=True)
    return folder(paths)


def begin(paths: LabPaths, kind: str, images: Mapping[str, str], *, progress: Progress | None = None) -> None:
    """A store with these images, digest to where skopeo finds it, unless there is a store. They have no name yet that
    a node would ask for. `kind` is the release's: the cache has one store for each.

    Across file systems there are no links: then nothing is done here, and `fill` unpacks everything.
    """
    if folder(paths).exists():
        return
    shared = _shared(kind, images, progress)
    with suppress(_NoLinks), new_folder(folder(paths)) as part:
        others = shutil.ignore_patterns("overlay")
        shutil.copytree(shared, part, symlinks=True, ignore=others, dirs_exist_ok=True)
        if not attempt(["cp", "--archive", "--link", str(shared / "overlay"), str(part)]).ok:
            raise _NoLinks


class _NoLinks(Exception):
    """The cache is on another file system than the lab."""


def _shared(kind: str, images: Mapping[str, str], progress: Progress | None) -> Path:
    """In the cache; anew when an image is another one. Labs that have links to the old ones keep them."""
    place = places.unpacked() / kind
    note, wanted = place.with_name(f"{kind}.json"), json.dumps(sorted(images))
    with in_turn(place):
        if not note.exists() or note.read_text() != wanted:
            if progress:
                progress("unpacking: images of another release are removed first", 0, len(images))
            note.unlink(missing_ok=True)
            shutil.rmtree(place, ignore_errors=True)
            names = {f"localhost/hardway@{digest}": source for digest, source in images.items()}
            _copy(place, place.with_name(f"{kind}-run"), names, progress)
            note.write_text(wanted)
    return place


def fill(paths: LabPaths, images: Mapping[str, str], *, progress: Progress | None = None) -> None:
    """Pull spec, as nodes will ask for it, to where skopeo finds the image; what is there already is not read again."""
    _copy(prepare(paths), paths.folder / "images-run", images, progress)


def _copy(store: Path, runtime: Path, images: Mapping[str, str], progress: Progress | None) -> None:
    for number, (reference, source) in enumerate(images.items()):
        if progress:
            progress(f"unpacking: {source.rpartition(':')[2]}", number, len(images))
        target = f"containers-storage:[overlay@{store}+{runtime}:overlay.skip_mount_home=true]{reference}"
        run(["skopeo", "copy", "--quiet", "--src-tls-verify=false", source, target], seconds=SECONDS)
    if progress:
        progress("unpacking", len(images), len(images))
