"""The medium that installs one machine by itself: the image with the machine's disk, network and Ignition in it.

It holds the cluster's keys, or a token for them, so only the owner can read it. It is made again only when something
that goes into it has changed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from hardway.graph.store import Store
from hardway.ignition.network import ID, keyfile
from hardway.io import atomic, links
from hardway.model.cluster import Cluster, Node
from hardway.rhcos.images import Image
from hardway.tools import coreos_installer
from hardway.tools.coreos_installer import Kind, Settings

FOLDER = "rhcos"  # below assets
SERIAL = "ttyS0,115200n8"
CONSOLES = ("tty0", SERIAL)
"""The last one is where systemd and Ignition speak, and that one is written to a log."""

LIVE_ARGUMENTS = tuple(f"console={name}" for name in CONSOLES)
PLACES: dict[Kind, str] = {"iso": FOLDER, "pxe": f"{FOLDER}/pxe"}
ENDS: dict[Kind, str] = {"iso": ".iso", "pxe": "-initramfs.img"}

Way = Literal["iso", "server"]
"""The whole Ignition file is in the medium, or only where to fetch it once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    node: str
    path: Path
    way: Way
    made: bool  # now; otherwise it was there


def make(
    store: Store, cluster: Cluster, node: Node, image: Image, ignition: Path, way: Way, kind: Kind = "iso"
) -> Medium:
    place = PLACES[kind]
    target = store.root / place / f"{node.name}{ENDS[kind]}"
    profile = keyfile(cluster, node)
    words = (*CONSOLES, *LIVE_ARGUMENTS, coreos_installer.version())
    key = _key(image.sha256, links.read(ignition, below=store.root), node.disk, profile, *words)
    note = _note(place, target)
    if target.exists() and store.read(note) == key:
        return Medium(node=node.name, path=target, way=way, made=False)
    with TemporaryDirectory(prefix=".part-", dir=store.folder(place)) as scratch:
        made = _customized(Path(scratch), kind, node, image, ignition, profile)
        store.write(note, b"", 0o600)  # whatever happens now, it does not speak of the medium that goes
        atomic.put(made, target)
    store.write(note, key, 0o600)
    return Medium(node=node.name, path=target, way=way, made=True)


def _customized(scratch: Path, kind: Kind, node: Node, image: Image, ignition: Path, profile: str) -> Path:
    profile_file, made = scratch / f"{ID}.nmconnection", scratch / "medium"
    profile_file.write_text(profile)
    settings = Settings(
        ignition=ignition,
        device=node.disk,
        consoles=CONSOLES,
        keyfiles=[profile_file],
        live_arguments=LIVE_ARGUMENTS if kind == "iso" else (),
    )
    coreos_installer.customize(kind, image.path, made, settings)
    return made


def discard(store: Store, node: str) -> None:
    """An ISO that has done its work: it is large, and full of keys."""
    target = store.root / PLACES["iso"] / f"{node}{ENDS['iso']}"
    target.unlink(missing_ok=True)
    store.remove(_note(PLACES["iso"], target))


def _note(place: str, target: Path) -> str:
    """Beside the medium: what it was made of."""
    return f"{place}/.{target.name}.json"


def _key(image: str, ignition: bytes, disk: str, profile: str, *words: str) -> bytes:
    """What the medium is made of. The digest of an Ignition file says nothing of the keys in it."""
    parts = [image, sha256(ignition).hexdigest(), disk, profile, *words]
    return json.dumps({"madeOf": sha256(json.dumps(parts).encode()).hexdigest()}).encode()
