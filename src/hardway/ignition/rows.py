"""What a row of a node's file table and of its unit table says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files

from hardway.emit import ignition
from hardway.graph.asset import Given
from hardway.model.why import Why

SECRET = 0o600
PUBLIC = 0o644
SCRIPT = 0o755


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """One file of a node: either the content of an asset, or what `make` says."""

    path: str
    mode: int
    why: Why
    source: str = ""  # the address of the asset that the file is
    make: Callable[[Given], str] | None = None
    append: bool = False

    def entry(self, given: Given) -> ignition.Entry:
        content = self.make(given).encode() if self.make else given[self.source]
        return ignition.file(self.path, content, self.mode, append=self.append)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRow:
    """One systemd unit: a whole one, or drop-ins for one that the operating system has."""

    name: str
    why: Why
    enabled: bool | None = None
    contents: str = ""  # a file in units/
    dropins: Mapping[str, str] = field(default_factory=dict)  # name of the drop-in -> a file in units/

    def entry(self) -> ignition.Entry:
        return ignition.unit(
            self.name,
            enabled=self.enabled,
            contents=text_of(f"units/{self.contents}") if self.contents else None,
            dropins={name: text_of(f"units/{file}") for name, file in self.dropins.items()},
        )


@cache
def text_of(name: str) -> str:
    """A real file beside this module."""
    return files("hardway.ignition").joinpath(name).read_text(encoding="utf-8")


def shipped(name: str) -> Callable[[Given], str]:
    """A file's content that is the same for every cluster."""
    return partial(_shipped, name)


def _shipped(name: str, given: Given) -> str:
    return text_of(f"files/{name}")
