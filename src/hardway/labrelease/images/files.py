"""The small files of our own in the images."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from hardway.labrelease.images import base, layers
from hardway.labrelease.images.layers import Entry
from hardway.labrelease.images.layout import Blob, Blobs

# bash, because `exec` must find the program on PATH and hand over every argument as it is.
HYPERKUBE = b"""\
#!/bin/bash
[ $# -gt 0 ] || { echo 'usage: hyperkube PROGRAM [ARGUMENT]...' >&2; exit 2; }
exec "$@"
"""
# Arguments are for the program that this image stands in for: they are not looked at.
POD = b"""\
#!/usr/bin/busybox sh
exec /usr/bin/catatonit -P
"""
# Found on PATH before the program itself: one of its commands is another program here.
ETCD = b"""\
#!/bin/bash
[ "$1" != grpc-proxy ] || exec python3 -m hardway.labrelease.member.metrics "$@"
exec /usr/bin/etcd "$@"
"""
DISCOVER = b"""\
#!/bin/bash
exec python3 -m hardway.labrelease.member.discover "$@"
"""
STATIC = ("usr/bin/busybox", "usr/bin/catatonit")  # programs of the base that need nothing of it
PYTHON = "usr/lib/python3/dist-packages/hardway"
BESIDE = ("io/trace.py", "tools/run.py", "tools/patience.py", "model/errors.py")  # modules that those in images use


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What files of our own are taken from."""

    blobs: Blobs
    base: Blob
    folders: Mapping[str, Path]  # of the components


def entries(name: str, sources: Sources) -> list[Entry]:
    return _TABLE[name](sources)


def _hyperkube(sources: Sources) -> list[Entry]:
    return [Entry(path="usr/bin/hyperkube", source=HYPERKUBE, mode=0o755)]


def _pod(sources: Sources) -> list[Entry]:
    pod = Entry(path="usr/bin/pod", source=POD, mode=0o755)
    found = ((path, base.program(sources.blobs, sources.base, path)) for path in STATIC)
    return [pod, *(Entry(path=path, source=content, mode=0o755) for path, content in found)]


def _operator(sources: Sources) -> list[Entry]:
    return _modules("labrelease/operator", *BESIDE)


def _member(sources: Sources) -> list[Entry]:
    scripts = {"local/bin/etcd": ETCD, "bin/discover-etcd-initial-cluster": DISCOVER}
    called = [Entry(path=f"usr/{path}", source=text, mode=0o755) for path, text in scripts.items()]
    return [*called, *_modules("labrelease/member", *BESIDE)]


def _modules(package: str, *beside: str) -> list[Entry]:
    """A package of ours, and modules of others that it uses, where the image's Python finds them."""
    whole = files("hardway")
    own = sorted(path.name for path in whole.joinpath(package).iterdir() if path.name.endswith(".py"))
    names = [*(f"{package}/{name}" for name in own), *beside]
    return [Entry(path=f"{PYTHON}/{name}", source=whole.joinpath(name).read_bytes()) for name in names]


def _clusterversion_crds(sources: Sources) -> list[Entry]:
    """CVO's image brings its two CRDs; they are in the API's module."""
    folder = sources.folders["api"] / "data" / "config/v1/zz_generated.crd-manifests"
    return layers.folder(folder, "manifests", pattern="0000_00_cluster-version-operator_*")


_TABLE: dict[str, Callable[[Sources], list[Entry]]] = {
    "hyperkube": _hyperkube,
    "pod": _pod,
    "operator": _operator,
    "member": _member,
    "clusterversion-crds": _clusterversion_crds,
}
