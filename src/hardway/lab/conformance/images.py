"""The tests' images: packed once, and in the lab's registry under the names that tests ask for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path

from hardway.lab import network, registry_storage, services
from hardway.lab.paths import BALANCER
from hardway.lab.prepared import Prepared, Progress
from hardway.labrelease import places, push
from hardway.labrelease.components.table import component
from hardway.labrelease.images import base, layout
from hardway.labrelease.images.conformance import TABLE, TOOLS, components
from hardway.labrelease.images.layout import Blob, Blobs
from hardway.labrelease.images.pack import Packer
from hardway.labrelease.materials import uncompiled
from hardway.labrelease.release import Foundation, compiled
from hardway.model.cluster import Cluster

REPOSITORY = "e2e"
REGISTRIES = ("promoterE2eRegistry", "gcRegistry", "gcEtcdRegistry")
"""The registries that conformance tests pull from, as the tests call them."""
DEBIAN: Foundation = partial(base.layer, packages=TOOLS)


def to_compile() -> list[str]:
    """The components that nobody has compiled yet."""
    return uncompiled([component(name) for name in components()])


def programs(progress: Progress) -> Mapping[str, Path]:
    """The folder of each component that images and tests are made of."""
    return compiled([component(name) for name in components()], progress)


def pack(
    folders: Mapping[str, Path],
    progress: Progress,
    *,
    root: Path | None = None,
    foundation: Foundation = DEBIAN,
) -> Path:
    """All of them, in one layout."""
    cache = root or places.cache()
    blobs = Blobs(cache / "blobs")
    packer = Packer(folders=folders, blobs=blobs, base=foundation(blobs, progress))
    packed: dict[str, Blob] = {}
    for number, row in enumerate(TABLE):
        progress(f"packing: {row.name}", number, len(TABLE))
        packed[row.name] = packer.image(row.image)
    progress("packing", len(TABLE), len(TABLE))
    return layout.write(cache / places.CONFORMANCE / _key(packed), blobs, packed)


def _key(packed: Mapping[str, Blob]) -> str:
    return sha256(" ".join(blob.digest for blob in packed.values()).encode()).hexdigest()[:12]


def serve(prepared: Prepared, folder: Path, progress: Progress) -> None:
    """The lab's registry has them afterwards."""
    for row in TABLE:
        registry_storage.seed(services.storage(prepared.paths), folder, f"{repository(folder)}/{row.name}")
    wanted = [(row, tag) for row in TABLE for tag in row.tags]
    enter = network.command(prepared.paths, BALANCER, [])
    options = push.options(push.Target(insecure=True), folder)
    with services.writable(prepared.paths) as writer:
        for number, (row, tag) in enumerate(wanted):
            progress(f"pushing: {row.name}", number, len(wanted))
            push.copy(folder, enter, options, row.name, f"{writer}/{repository(folder)}/{row.name}:{tag}")
    progress("pushing", len(wanted), len(wanted))


def repository(folder: Path) -> str:
    """Named after what is in it: a node that has an image of a name and tag does not pull another one."""
    return f"{REPOSITORY}-{folder.name}"


def mapping(cluster: Cluster, folder: Path) -> str:
    """For KUBE_TEST_REPO_LIST: which registry stands in for which."""
    place = f"{services.registry(cluster)}/{repository(folder)}"
    return "".join(f"{name}: {place}\n" for name in REGISTRIES)
