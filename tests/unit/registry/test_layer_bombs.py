"""Layers and archives that are small on the wire and large in memory, or that make tarfile fail in its own ways."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hardway.registry.errors import RegistryError
from hardway.registry.layer import Room, read_layer
from hardway.registry.layout import Layout
from hardway.registry.merge import Merged
from hardway.release.reference import Local
from tests.support.bounded import bounded
from tests.support.registry import images


def read(*layers: Path) -> None:
    merged, room = Merged(where="here"), Room()
    for layer in layers:
        merged.add(read_layer(io.BytesIO(layer.read_bytes()), "d", "here", room))
    merged.result()


def outcome(attempt: Callable[[], object]) -> str:
    """What is printed in a process of its own with little memory: an error's kind, or `read`."""

    def attack() -> None:
        try:
            attempt()
        except RegistryError as error:
            print(type(error).__name__, error.what[:300])
        else:
            print("read")

    done = bounded(attack)
    assert done.returncode == 0, (done.stdout, done.stderr[-600:])
    return done.stdout.split()[0]


def layer(write, kind=tarfile.PAX_FORMAT) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=kind) as archive:
        write(archive)
    return made.getvalue()


def one_path(name: str) -> bytes:
    return layer(lambda archive: archive.addfile(images.member(name)))


def many_paths(count: int, length: int) -> bytes:
    def write(archive: tarfile.TarFile) -> None:
        for number in range(count):
            archive.addfile(images.member(f"d/{number}/" + "a/" * (length // 2) + "x"))

    return layer(write)


def header(kind: bytes, content: bytes) -> bytes:
    info = images.member("PaxHeader", kind=kind, size=len(content))
    return info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512)


def record(name: str, value: str) -> bytes:
    size = len(name) + len(value) + 3
    size += len(str(size + len(str(size))))
    return f"{size} {name}={value}\n".encode()


def chained(count: int) -> bytes:
    return header(tarfile.XHDTYPE, record("comment", "x")) * count + images.tar({"d/x": b""})


def global_headers(count: int) -> bytes:
    parts = [header(tarfile.XGLTYPE, record(f"k{n}", "v" * 60_000)) for n in range(count)]
    between = images.tar({"y": b""})[:512]
    return between.join(parts) + images.tar({"d/x": b""})


def sparse(value: str) -> bytes:
    records = record("GNU.sparse.map", value) + record("GNU.sparse.size", "1")
    return header(tarfile.XHDTYPE, records) + images.tar({"d/x": b""})


def filled(name: str, size: int) -> bytes:
    return images.tar({f"d/{name}{n}": bytes(size) for n in range(4)})


def linked(kind: bytes) -> bytes:
    """One file, and many links to it: no more in memory, twenty times as much when it is written."""
    return images.tar({"d/a": bytes(8 << 20)}, *(images.member(f"d/l{n}", kind, _TARGET[kind]) for n in range(19)))


_TARGET = {tarfile.LNKTYPE: "d/a", tarfile.SYMTYPE: "a"}

BOMBS = {
    "a path of 80,000 characters": (lambda: [one_path("d/" + "a/" * 40_000 + "x")], "Damaged"),
    "a path of 20,000 characters": (lambda: [one_path("d/" + "a/" * 10_000 + "x")], "TooLarge"),
    "a path of 10,000 folders, outside": (lambda: [one_path("e/" + "a/" * 10_000 + "x")], "TooLarge"),
    "many paths of 4,000 characters": (lambda: [many_paths(200, 4_000)], "TooLarge"),
    "many paths that are allowed": (lambda: [many_paths(6_000, 120)], "TooLarge"),
    "headers of headers": (lambda: [chained(3_000)], "Damaged"),
    "headers for all that never end": (lambda: [global_headers(100)], "Damaged"),
    "a map of holes that is none": (lambda: [sparse("x,y")], "Damaged"),
    "a map of holes with half a pair": (lambda: [sparse("1")], "Damaged"),
    "large layers, each within its limit": (lambda: [filled(name, 20 << 20) for name in "ab"], "TooLarge"),
    "hard links to a large file": (lambda: [linked(tarfile.LNKTYPE)], "TooLarge"),
    "symbolic links to a large file": (lambda: [linked(tarfile.SYMTYPE)], "TooLarge"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_layer_is_refused_by_name_and_memory_stays_small(bomb: str, tmp_path: Path):
    layers, expected = BOMBS[bomb]
    files = packed(tmp_path, *layers())
    assert outcome(lambda: read(*files)) == expected


def test_paths_that_images_have_are_read(tmp_path: Path):
    files = packed(tmp_path, many_paths(2_000, 60))
    assert outcome(lambda: read(*files)) == "read"


def packed(folder: Path, *layers: bytes) -> list[Path]:
    """As files, none of them larger than a megabyte."""
    files = [folder / f"layer-{number}" for number, _ in enumerate(layers)]
    for file, content in zip(files, layers, strict=True):
        file.write_bytes(gzip.compress(content, 1 if len(content) > 1 << 24 else 9))
        assert file.stat().st_size < 1 << 20
    return files


@pytest.mark.parametrize("kind", ["headers of headers", "a map of holes that is none", "very many members"])
def test_an_archive_of_an_image_is_read_with_the_same_care(kind: str, tmp_path: Path):
    [content] = BOMBS[kind][0]() if kind in BOMBS else [images.tar({f"f{n}": b"" for n in range(10_001)})]
    (tmp_path / "image.tar").write_bytes(content)
    archive = Local(kind="oci-archive", path=str(tmp_path / "image.tar"))
    assert outcome(lambda: Layout(archive).find()) == "Damaged"
