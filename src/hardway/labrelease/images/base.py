"""The one system that every image of the lab release stands on: a small Debian, made with mmdebstrap.

Operators' pods are shell scripts as often as programs: they expect bash as `sh`, coreutils, and tools for networks and
certificates. What depends on when or where it was made (logs, package lists, the machine's identity and
mirror) is left out, so that the same packages give the same layer.
"""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from hardway.io.lock import in_turn
from hardway.labrelease.images import layers
from hardway.labrelease.images.layout import Blob, Blobs
from hardway.model.errors import ToolError
from hardway.tools import run

Progress = Callable[[str, int, int], None]

SUITE = "bookworm"
PACKAGES = (
    "bash",
    "busybox-static",
    "ca-certificates",
    "catatonit",
    "coreutils",
    "curl",
    "diffutils",
    "findutils",
    "gawk",
    "grep",
    "hostname",
    "iproute2",
    "iptables",
    "jq",
    "kmod",
    "mount",
    "openssl",
    "procps",
    "python3",
    "sed",
    "tar",
    "util-linux",
)
OPTIONS = (
    "--variant=minbase",
    "--format=tar",
    "--dpkgopt=path-exclude=/usr/share/man/*",
    "--dpkgopt=path-exclude=/usr/share/locale/*",
    "--dpkgopt=path-exclude=/usr/share/doc/*",
    "--dpkgopt=path-include=/usr/share/doc/*/copyright",
    '--customize-hook=ln -sf bash "$1/usr/bin/sh"',
)
# Folders stay, what is in them goes; a file goes.
LEFT_OUT = (
    "dev",
    "etc/apt",
    "etc/hostname",
    "etc/machine-id",
    "etc/resolv.conf",
    "proc",
    "run",
    "sys",
    "tmp",
    "var/cache",
    "var/lib/apt",
    "var/lib/dpkg/status-old",
    "var/log",
    "var/tmp",
)
SOURCES = (Path("/etc/apt/sources.list"), Path("/etc/apt/sources.list.d/debian.sources"))
STEPS = ("downloading", "extracting", "installing", "creating tarball")  # what mmdebstrap says as it goes


def layer(blobs: Blobs, progress: Progress, packages: tuple[str, ...] = PACKAGES) -> Blob:
    """The base as a layer; made once for a list of packages, which takes a minute or two."""
    key = sha256(json.dumps([SUITE, packages, OPTIONS, LEFT_OUT]).encode()).hexdigest()[:16]
    note = blobs.folder.parent / "layers" / f"base-{key}"
    with in_turn(blobs.folder.parent / "base"):
        if found := layers.known(note, blobs):
            return found
        with TemporaryDirectory(dir=blobs.folder.parent, prefix="base-") as scratch:
            archive = Path(scratch, "base.tar")
            _bootstrap(archive, progress, packages)
            blob = layers.write(blobs, lambda target: copy(archive, target))
        layers.remember(note, blob)
        return blob


def _bootstrap(archive: Path, progress: Progress, packages: tuple[str, ...]) -> None:
    progress("base: Debian packages", 0, len(STEPS))

    def line(text: str) -> None:
        for number, step in enumerate(STEPS, 1):
            if text.startswith(f"I: {step}"):
                progress(f"base: {step}", number, len(STEPS))

    command = ["mmdebstrap", *OPTIONS, f"--include={','.join(packages)}", SUITE, str(archive), *_mirror()]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(layers.DATE), "LC_ALL": "C.UTF-8"}
    done = run.follow(command, line=line, environment=environment)
    if not done.ok:
        raise ToolError(
            f"{run.explain(done)}\n"
            "    fix: run as root (or with user namespaces), and check that a Debian mirror can be reached"
        )


def _mirror() -> list[str]:
    """The machine's own sources if it is a Debian of the same suite; otherwise mmdebstrap's."""
    fitting = [path for path in SOURCES if path.is_file() and SUITE in path.read_text(errors="replace")]
    return [str(path) for path in fitting[:1]]


def copy(archive: Path, target: tarfile.TarFile) -> None:
    """What mmdebstrap made, in its sorted order, without what must not stay. Owners and modes are the packages' own."""
    with tarfile.open(archive) as source:
        for member in source:
            path = _path(member.name)
            if path in ("", ".") or not _stays(path, member.isdir()):
                continue
            if member.islnk():
                member.linkname = _path(member.linkname)
            member.name, member.uname, member.gname, member.pax_headers = path, "", "", {}
            target.addfile(member, source.extractfile(member) if member.isreg() else None)


def program(blobs: Blobs, base: Blob, path: str) -> bytes:
    """A program of the base: those that are linked statically also run where there is no base."""
    with tarfile.open(blobs.path(base.digest)) as archive:
        content = archive.extractfile(path)
        assert content is not None
        return content.read()


def _path(name: str) -> str:
    return name.removeprefix("./").rstrip("/")


def _stays(path: str, is_folder: bool) -> bool:
    below = any(path.startswith(f"{name}/") for name in LEFT_OUT)
    return not below and (is_folder or path not in LEFT_OUT)
