"""The files of a network boot, laid side by side for a web server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hardway.graph.store import Store
from hardway.io import atomic
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ToolError
from hardway.registry.access import Progress
from hardway.release.stream import Stream
from hardway.rhcos.images import Image, access_for, checksum, fetch
from hardway.rhcos.medium import PLACES
from hardway.rhcos.pxe import config
from hardway.tools import coreos_installer

PLACE = PLACES["pxe"]
PARTS = {config.KERNEL: "kernel", config.INITRAMFS: "initramfs", config.ROOTFS: "rootfs"}
"""The stream's names of the three; an ISO has them as vmlinuz, initrd.img and rootfs.img."""

IN_ISO = {config.KERNEL: "-vmlinuz", config.INITRAMFS: "-initrd.img", config.ROOTFS: "-rootfs.img"}


def from_stream(store: Store, cluster: Cluster, stream: Stream, progress: Progress) -> Image:
    """Fetch the three, and lay them out; the initramfs, which is still without anybody's settings."""
    found = {
        name: fetch(
            stream.artifact("metal", "pxe", part, architecture=cluster.architecture), access_for(cluster), progress
        )
        for name, part in PARTS.items()
    }
    for name, image in found.items():
        _lay(image.path, store.folder(PLACE) / name)
    return found[config.INITRAMFS]


def from_iso(store: Store, iso: Image) -> Image:
    """The same three are in the ISO."""
    folder = store.folder(PLACE)
    with TemporaryDirectory(prefix=".part-", dir=folder) as scratch:
        coreos_installer.extract_pxe(iso.path, Path(scratch))
        for name, end in IN_ISO.items():
            parts = sorted(Path(scratch).glob(f"*{end}"))
            if not parts:
                fix = "give a live ISO as it was published"
                raise ToolError(f"{iso.path}: has no {name} for a network boot.\n    fix: {fix}")
            atomic.put(parts[0], folder / name)
    path = folder / config.INITRAMFS
    return Image(path=path, sha256=checksum(path), release=iso.release, checked=iso.checked)


def write(store: Store, cluster: Cluster, nodes: Sequence[Node], base: str) -> list[str]:
    """The texts; the paths of all of them below assets."""
    texts = config.files(cluster, tuple(nodes), base)
    for name, text in texts.items():
        store.write(f"{PLACE}/{name}", text.encode(), 0o600)
    return [f"{PLACE}/{name}" for name in texts]


def _lay(source: Path, target: Path) -> None:
    """A second name for the same file where that is possible; a gigabyte need not be there twice."""
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
