"""One layer: what it holds below a folder, and what it takes away from the layers beneath. Nothing is written."""

from __future__ import annotations

import posixpath
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, NoReturn

from hardway.registry.errors import Damaged, TooLarge, UnsafePath
from hardway.registry.unpack import content_of, members, unpacked

LARGEST_FILE, LARGEST_SUM = 64 << 20, 128 << 20
LONGEST_PATH, DEEPEST_PATH, LONGEST_SUM = 4096, 64, 16 << 20
"""Characters and folders of a path, and the characters of all paths of an image, each with those of its folders."""
_WHITEOUT, _OPAQUE = ".wh.", ".wh..wh..opq"
_FIX = "do not use this image; ask its publisher"


@dataclass(slots=True)
class Room:
    """What an image has taken of its memory so far: all of its layers together."""

    content: int = 0
    names: int = 0


@dataclass(slots=True)
class Layer:
    """Names are relative to the folder; `gone` are whiteouts, `opaque` folders of which nothing older counts."""

    prefix: str
    where: str
    room: Room = field(default_factory=Room)
    files: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    opaque: set[str] = field(default_factory=set)


def read_layer(stream: BinaryIO, prefix: str, where: str, room: Room | None = None) -> Layer:
    """Streamed: no more than the folder's own files are in memory at any time."""
    layer = Layer(prefix=prefix, where=where, room=room or Room())
    with unpacked(stream, where) as archive:
        for member in members(archive):
            _take(archive, member, layer)
    return layer


def _take(archive: tarfile.TarFile, member: tarfile.TarInfo, layer: Layer) -> None:
    if len(member.name) > LONGEST_PATH or member.name.count("/") > DEEPEST_PATH:
        begin = f"{member.name[:40]!r}…"
        said = f"has more than {LONGEST_PATH} characters or {DEEPEST_PATH} folders"
        raise TooLarge(f"{layer.where}: the path {begin} {said}", fix=_FIX)
    if ".." in member.name.split("/"):
        _unsafe(layer, member, "leads out of its folder")
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
    _take_names(name, layer)
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


def _take_names(name: str, layer: Layer) -> None:
    """The folders of a path that are not known yet, and the path itself."""
    found = [parent for parent in parents(name) if parent not in layer.folders]
    layer.room.names += len(name) + sum(map(len, found))
    if layer.room.names > LONGEST_SUM:
        raise TooLarge(f"{layer.where}: the paths of this image have more than {LONGEST_SUM} characters", fix=_FIX)
    layer.folders.update(found)


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
        _take_content(len(layer.files[same]), member, layer)
        return layer.files[same]
    if not member.isreg():
        _unsafe(layer, member, "is a device, not a file")
    if member.issparse():
        raise Damaged(f"{layer.where}: the path {member.name!r} is a file with holes, which no layer needs", fix=_FIX)
    _take_content(member.size, member, layer)
    return content_of(archive, member)


def _take_content(size: int, member: tarfile.TarInfo, layer: Layer) -> None:
    """A link counts like a copy, which it becomes when it is written."""
    layer.room.content += size
    if size > LARGEST_FILE or layer.room.content > LARGEST_SUM:
        raise TooLarge(f"{layer.where}: {member.name!r}: larger than any such file", fix=_FIX)


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
