"""Ignition configs: what a machine lays onto its disk at first boot.

All the checks that Ignition itself would make only on the machine are made when a config is put together: a path
twice, a file below a symbolic link, a mode that was written in the wrong base.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

Entry = dict[str, Any]


def data_url(content: bytes) -> str:
    """Content that is in the config itself."""
    return f"data:text/plain;charset=utf-8;base64,{b64encode(content).decode()}"


def file(path: str, content: bytes, mode: int, *, append: bool = False) -> Entry:
    """A file of root's. `append` adds to what the operating system has there instead of replacing it."""
    if not path.startswith("/") or path.endswith("/") or any(p in ("", ".", "..") for p in path[1:].split("/")):
        raise ValueError(f"{path}: not an absolute path in its shortest form")
    if not 0 < mode <= 0o777:
        raise ValueError(f"{path}: mode {mode} is no permission; Ignition takes decimals, 0o644 is 420")
    source = {"source": data_url(content)}
    what: Entry = {"append": [source]} if append else {"contents": source}
    return {"path": path, "overwrite": not append, "user": {"name": "root"}, "mode": mode, **what}


def unit(
    name: str,
    *,
    contents: str | None = None,
    enabled: bool | None = None,
    dropins: Mapping[str, str] | None = None,
) -> Entry:
    entry: Entry = {"name": name}
    if enabled is not None:
        entry["enabled"] = enabled
    if contents is not None:
        entry["contents"] = contents
    if dropins:
        entry["dropins"] = [{"name": key, "contents": text} for key, text in dropins.items()]
    return entry


def user(name: str, ssh_keys: Sequence[str]) -> Entry:
    return {"name": name, "sshAuthorizedKeys": list(ssh_keys)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """`storage`, `passwd` and `systemd` carry what else a base brings in these sections: links, folders, groups."""

    version: str
    files: tuple[Entry, ...] = ()
    units: tuple[Entry, ...] = ()
    users: tuple[Entry, ...] = ()
    storage: Mapping[str, Any] = field(default_factory=dict)
    passwd: Mapping[str, Any] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)  # other top-level sections

    def __post_init__(self) -> None:
        if problem := next(chain(twice(self.files, self.storage), named_twice(self.units, self.users)), None):
            raise ValueError(problem)


def twice(files: Iterable[Entry], storage: Mapping[str, Any]) -> Iterable[str]:
    """Paths that are claimed twice, and files that would be written through a symbolic link."""
    links = {entry["path"] for entry in storage.get("links") or ()}
    folders = {entry["path"] for entry in storage.get("directories") or ()}
    paths = [entry["path"] for entry in files]
    for path, count in Counter([*paths, *links, *folders]).items():
        if count > 1:
            yield f"{path} is there {count} times"
    for path in paths:
        if link := next((above for above in parents(path) if above in links), None):
            yield f"{path} lies below the symbolic link {link}"


def named_twice(units: Iterable[Entry], users: Iterable[Entry]) -> Iterable[str]:
    for kind, entries in (("unit", units), ("user", users)):
        for name, count in Counter(entry["name"] for entry in entries).items():
            if count > 1:
                yield f"{kind} {name} is there {count} times"


def parents(path: str) -> Iterable[str]:
    """Every folder above a path, the nearest first; the root left out."""
    while path := path.rpartition("/")[0]:
        yield path


class Prepared:
    """A config encoded once, to be finished many times with a few files more: what all nodes of a role share."""

    __slots__ = ("_head", "_links", "_paths")

    def __init__(self, config: Config) -> None:
        others = {key: value for key, value in config.storage.items() if key != "files"}
        self._paths = frozenset(entry["path"] for entry in config.files)
        self._links = {"links": others.get("links", []), "directories": others.get("directories", [])}
        storage = _open(_dump(others)) + '"files":[' + ",".join(_dump(entry) for entry in config.files)
        self._head = (_open(_dump(_outer(config))) + '"storage":' + storage).encode()

    def encode(self, files: Sequence[Entry] = ()) -> bytes:
        """The whole config with these files in addition."""
        if both := [entry["path"] for entry in files if entry["path"] in self._paths]:
            raise ValueError(f"{both[0]} is there already")
        if problem := next(iter(twice(files, self._links)), None):
            raise ValueError(problem)
        more = ",".join(_dump(entry) for entry in files)
        comma = "," if more and self._paths else ""
        return b"".join((self._head, f"{comma}{more}]}}}}\n".encode()))


def encode(config: Config) -> bytes:
    """The config as compact JSON; the same config gives the same bytes."""
    return Prepared(config).encode()


def _outer(config: Config) -> Entry:
    """All but storage, which comes last so that files can be added at the very end."""
    outer: Entry = {"ignition": {"version": config.version}, **config.rest}
    if config.users or config.passwd:
        outer["passwd"] = {**config.passwd, "users": list(config.users)}
    if config.units:
        outer["systemd"] = {"units": list(config.units)}
    return outer


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _open(text: str) -> str:
    """A JSON object without its closing brace, ready for one more member."""
    return text[:-1] + ("," if len(text) > 2 else "")
