"""One layer: what it holds below a folder, and what it takes away from the layers beneath. Nothing is written."""

from __future__ import annotations

import posixpath
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, NoReturn

from hardway.registry.errors import TooLarge, UnsafePath
from hardway.registry.unpack import members, unpacked

LARGEST_FILE, LARGEST_SUM = 64 << 20, 512 << 20
_WHITEOUT, _OPAQUE = ".wh.", ".wh..wh..opq"
_FIX = "do not use this image; ask whoever made it"


@dataclass(slots=True)
class Layer:
    """Names are relative to the folder; `gone` are whiteouts, `opaque` folders of which nothing older counts."""

    prefix: str
    where: str
    files: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    opaque: set[str] = field(default_factory=set)
    size: int = 0


def read_layer(stream: BinaryIO, prefix: str, where: str) -> Layer:
    """Streamed: no more than the folder's own files are in memory at any time."""
    layer = Layer(prefix=prefix, where=where)
    with unpacked(stream, where) as archive:
        for member in members(archive):
            _take(archive, member, layer)
    return layer


def _take(archive: tarfile.TarFile, member: tarfile.TarInfo, layer: Layer) -> None:
    if ".." in member.name.split("/"):
        _unsafe(layer, member, "climbs out of its folder")
    name = posixpath.normpath(f"/{member.name}").lstrip("/")
    inside = _below(name, layer.prefix)
    if inside is None:
        _above(name, member, layer)
        return
    if member.name.startswith("/"):
        _unsafe(layer, member, "is absolute")
    if any(parent in layer.links for parent in parents(inside)):
        _unsafe(layer, member, "is below a link")
    _keep(archive, member, inside, layer)


def _above(name: str, member: tarfile.TarInfo, layer: Layer) -> None:
    """Above the folder: a whiteout takes all of it away, and a link would lead somewhere else."""
    folder, _, last = name.rpartition("/")
    if last == _OPAQUE:
        taken = folder
    elif last.startswith(_WHITEOUT):
        taken = posixpath.join(folder, last.removeprefix(_WHITEOUT))
    elif member.isdir() or _below(layer.prefix, name) is None:
        return
    else:
        _unsafe(layer, member, "is a link or a file where a folder must be")
    if _below(layer.prefix, taken) is not None:
        layer.opaque.add("")


def _keep(archive: tarfile.TarFile, member: tarfile.TarInfo, name: str, layer: Layer) -> None:
    folder, _, last = name.rpartition("/")
    layer.folders.update(parents(name))
    if last == _OPAQUE:
        layer.opaque.add(folder)
    elif last.startswith(_WHITEOUT):
        layer.gone.add(posixpath.join(folder, last.removeprefix(_WHITEOUT)))
    elif member.isdir():
        layer.folders.add(name)
    elif not name:
        _unsafe(layer, member, "is a link or a file where a folder must be")
    elif member.issym():
        layer.links[name] = _target(posixpath.join(folder, member.linkname), member, layer)
    else:
        layer.files[name] = _content(archive, member, layer)


def _target(path: str, member: tarfile.TarInfo, layer: Layer) -> str:
    target = posixpath.normpath(path)
    if target.startswith("/") or target.split("/")[0] == "..":
        _unsafe(layer, member, "is a link that leads out of its folder")
    return target


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, layer: Layer) -> bytes:
    if member.islnk():
        same = _below(posixpath.normpath(member.linkname), layer.prefix)
        if same not in layer.files:
            _unsafe(layer, member, "is a link to something that the folder does not hold")
        return layer.files[same]
    if not member.isreg():
        _unsafe(layer, member, "is a device, not a file")
    layer.size += member.size
    if member.size > LARGEST_FILE or layer.size > LARGEST_SUM:
        raise TooLarge(f"{layer.where}: {member.name!r}: more than anyone needs there", fix=_FIX)
    stream = archive.extractfile(member)
    return stream.read() if stream else b""


def _below(name: str, prefix: str) -> str | None:
    """The rest of the name below the prefix; everything is below the empty one."""
    if name == prefix:
        return ""
    start = f"{prefix}/" if prefix else ""
    return name[len(start) :] if name.startswith(start) else None


def parents(name: str) -> Iterator[str]:
    while name := name.rpartition("/")[0]:
        yield name


def _unsafe(layer: Layer, member: tarfile.TarInfo, problem: str) -> NoReturn:
    raise UnsafePath(f"{layer.where}: the path {member.name!r} {problem}", fix=_FIX)
