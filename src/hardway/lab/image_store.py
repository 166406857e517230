"""Images unpacked once for all nodes: a store that every node's CRI-O reads beside its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from hardway.lab.site import Site
from hardway.tools.run import run

Progress = Callable[[str, int, int], None]

PLACE = "/var/lib/images"
"""On a node, and read-only there."""

SECONDS = 900.0


def folder(site: Site) -> Path:
    return site.folder / "images"


def prepare(site: Site) -> Path:
    """An empty store, if there is none: nodes read it and cannot make what is missing."""
    for kind in ("images", "layers"):
        place = folder(site) / f"overlay-{kind}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{kind}.lock").touch(mode=0o644)
    (folder(site) / "overlay").mkdir(exist_ok=True)
    return folder(site)


def fill(site: Site, images: Mapping[str, str], *, progress: Progress | None = None) -> None:
    """Pull spec, as nodes will ask for it, to where skopeo finds the image; what is there already is not read again."""
    store, runtime = prepare(site), site.folder / "images-run"
    for number, (reference, source) in enumerate(images.items()):
        if progress:
            progress(f"unpacking {reference}", number, len(images))
        target = f"containers-storage:[overlay@{store}+{runtime}:overlay.skip_mount_home=true]{reference}"
        run(["skopeo", "copy", "--quiet", "--src-tls-verify=false", source, target], seconds=SECONDS)
