"""Explanations, remembered: the atlas of a folder is drawn once, and again when anything that decides it has changed.

A file in the user's cache has a line for each address and for each value that was varied (`explain/origin`), below a
first line that says what they were drawn from: this program's files, and the files of the cluster's folder that are
read. Nothing in it is a secret: reasons, names, and values of fields that are not secret.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import hardway
from hardway.io import plain
from hardway.io.cache import cache_home
from hardway.workspace.names import ASSETS, CRDS, HOSTS, INSTALL_CONFIG, MCO, RELEASE, SETTINGS, YOURS

READ = (INSTALL_CONFIG, HOSTS, SETTINGS)
BELOW_ASSETS = (RELEASE, MCO, CRDS)
TRIAL = b'{"file":'  # how the line of a trial begins
MOST = 20  # folders that are remembered


def recall(folder: Path, address: str) -> dict[str, Any] | None:
    """What was remembered of an address; None if nothing is, or if it may be out of date."""
    return found_in(remembered(folder), address)


def remembered(folder: Path) -> bytes:
    """All that still holds, a line for each address."""
    try:
        first, _, rest = plain.read(_file(folder)).partition(b"\n")
    except OSError:
        return b""
    return rest if first == _drawn_from(folder) else b""


def found_in(rest: bytes, address: str) -> dict[str, Any] | None:
    start = rest.find(f'\n{{"address": {json.dumps(address)},'.encode())
    found: dict[str, Any] | None = json.loads(rest[start + 1 :].partition(b"\n")[0]) if start >= 0 else None
    return found


def trials(folder: Path) -> list[dict[str, Any]]:
    """What was found by experiment; empty if nobody has tried yet."""
    return [json.loads(line) for line in remembered(folder).splitlines() if line.startswith(TRIAL)]


def remember(folder: Path, explanations: Iterable[dict[str, Any]], tried: Iterable[dict[str, Any]] = ()) -> None:
    """Where the cache cannot be written, nothing is remembered."""
    from hardway.io import atomic

    rows = (*explanations, *tried)
    lines = [_drawn_from(folder), b"", *(json.dumps(row).encode() for row in rows), b""]
    path = _file(folder)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        atomic.write(path, b"\n".join(lines))
        _forget_the_oldest(path.parent)
    except OSError:
        return


def _forget_the_oldest(home: Path) -> None:
    files = sorted((entry for entry in os.scandir(home)), key=lambda entry: entry.stat().st_mtime_ns)
    for entry in files[:-MOST]:
        os.unlink(entry.path)


def _file(folder: Path) -> Path:
    """One for each cluster's folder."""
    return cache_home() / "explain" / str(folder.resolve()).replace("/", "%")[-200:]


def _drawn_from(folder: Path) -> bytes:
    package = Path(hardway.__file__).parent
    count, size, newest = 0, 0, 0
    for entry in _files(package):
        stat = entry.stat()
        count, size, newest = count + 1, size + stat.st_size, max(newest, stat.st_mtime_ns)
    parts = [str(folder.resolve()), f"{package} {count} {size} {newest}"]
    for name in READ:
        parts.append(f"{name} {_stamp(folder / name)}")
    for place in (folder / YOURS, *(folder / ASSETS / name for name in BELOW_ASSETS)):
        parts += [f"{entry.path} {_stamp(Path(entry.path))}" for entry in _files(place)]
    return " ".join(parts).encode()


def _files(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(entry.path) if entry.name != "__pycache__" else ()
        else:
            yield entry


def _stamp(path: Path) -> str:
    try:
        stat = path.stat()
    except OSError:
        return "absent"
    return f"{stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_size}"
