"""A node's root: one Debian for all, the programs of a node, the lab's own files, and on top what is the node's."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from hardway.io import atomic
from hardway.io.folder import new_folder
from hardway.io.lock import in_turn
from hardway.lab import mounts, tree
from hardway.lab.deviations import table
from hardway.lab.deviations.row import Given, Placed
from hardway.lab.launch import shipped
from hardway.lab.paths import LabPaths
from hardway.labrelease import places
from hardway.model.errors import ToolError
from hardway.tools.run import explain, follow, run

Progress = Callable[[str, int, int], None]

SUITE = "bookworm"
PACKAGES = (
    "ca-certificates",
    "conmon",
    "conntrack",
    "containernetworking-plugins",
    "curl",
    "dbus",
    "ethtool",
    "hostname",
    "iproute2",
    "iptables",
    "jq",
    "kmod",
    "libseccomp2",
    "mount",
    "network-manager",
    "nftables",
    "openssl",
    "podman",
    "procps",
    "runc",
    "socat",
    "systemd",
    "systemd-journal-remote",
    "systemd-sysv",
    "util-linux",
)
OPTIONS = (
    "--variant=minbase",
    "--dpkgopt=path-exclude=/usr/share/man/*",
    "--dpkgopt=path-exclude=/usr/share/locale/*",
    "--dpkgopt=path-exclude=/usr/share/doc/*",
    "--dpkgopt=path-include=/usr/share/doc/*/copyright",
)
PLACES = {
    "crio": "/usr/bin/crio",
    "pinns": "/usr/bin/pinns",
    "kubelet": "/usr/libexec/hardway/kubelet",
    "kubectl": "/usr/bin/kubectl",
}
"""Where a node's programs go. The kubelet's own place is taken by a script that adds to its options."""

OWN_DISKS = {"containers": "/var/lib/containers", "etcd": "/var/lib/etcd"}
"""What must not be on the node's overlay: CRI-O's layers are overlays themselves, and etcd wants fast writes."""


def base(*, progress: Progress | None = None) -> Path:
    """The Debian that all nodes stand on, made if it is missing."""
    hook = shipped("root-hook.sh")
    key = sha256(repr((SUITE, PACKAGES, OPTIONS)).encode() + hook).hexdigest()[:16]
    target = places.cache() / f"node-root-{key}"
    with in_turn(target):
        if not target.exists():
            _bootstrap(target, progress or (lambda *_: None))
    return target


def _bootstrap(target: Path, progress: Progress) -> None:
    hook = str(files("hardway.lab").joinpath("files", "root-hook.sh"))
    command = ["mmdebstrap", "--mode=root", *OPTIONS, f"--include={','.join(PACKAGES)}"]
    command += [f'--customize-hook=bash "{hook}" "$1"', SUITE]
    with new_folder(target) as part:
        done = follow([*command, str(part)], line=lambda text: progress(f"node root: {text.removeprefix('I: ')}", 0, 0))
        if not done.ok:
            raise ToolError(f"{explain(done)}\n    fix: mmdebstrap needs Debian's mirror and its archive keyring")


def programs(found: Mapping[str, Path]) -> Path:
    """A layer with the node's programs, by name as in PLACES; the same programs give the same layer."""
    marks = {name: (str(path), path.stat().st_size, path.stat().st_mtime_ns) for name, path in sorted(found.items())}
    target = places.cache() / f"node-programs-{sha256(repr(marks).encode()).hexdigest()[:16]}"
    with in_turn(target):
        if not target.exists():
            with new_folder(target) as part:
                for name, path in found.items():
                    place = part / PLACES[name].lstrip("/")
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, place)
                    place.chmod(0o755)
    return target


def write_layer(folder: Path, given: Given) -> None:
    """The lab's own files for a node, anew."""
    shutil.rmtree(folder, ignore_errors=True)
    for row in table.of(given):
        for placed in row.files:
            _place(folder, placed, given)


def _place(folder: Path, placed: Placed, given: Given) -> None:
    path = folder / placed.path.lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    if placed.link:
        path.symlink_to(placed.link)
        return
    content = placed.make(given).encode() if placed.make else shipped(placed.shipped)
    atomic.write(path, content, placed.mode)  # a secret is never anybody else's to read, not even at first


def mount(paths: LabPaths, given: Given, layers: list[Path]) -> Path:
    """The node's root, unless it is there: what it writes, on the lab's own files for it, on the layers."""
    node = given.node.name
    folder, place = paths.node(node), paths.node(node) / "root"
    if str(place) in mounts.below(place):
        return place
    write_layer(folder / "lab", given)
    for name in ("upper", "work", "root", *OWN_DISKS):
        (folder / name).mkdir(exist_ok=True)
    lower = ":".join(map(str, (folder / "lab", *layers)))
    options = f"lowerdir={lower},upperdir={folder / 'upper'},workdir={folder / 'work'}"
    run(["mount", "-t", "overlay", "-o", options, paths.namespace(node), str(place)])
    return place


def clear(paths: LabPaths, node: str) -> None:
    """Nothing of what the node has written stays."""
    folder = paths.node(node)
    mounts.remove_below(folder)
    for name in ("upper", "work", *OWN_DISKS):
        tree.delete(folder / name)
