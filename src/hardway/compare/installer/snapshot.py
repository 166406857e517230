"""A bootstrap Ignition config taken apart, so that two of them can be held side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hardway.compare.certificates import Certificate
from hardway.compare.keys import Fault

Settings = Mapping[str, Mapping[str, tuple[str, ...]]]
"""A systemd file: section, key, every value in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    mode: Any
    owner: str
    append: bool
    overwrite: bool
    rest: Mapping[str, Any] = field(default_factory=dict)  # every other field, as it is

    def as_dict(self) -> dict[str, Any]:
        mode = oct(self.mode) if isinstance(self.mode, int) else self.mode
        return {"mode": mode, "owner": self.owner, "append": self.append, "overwrite": self.overwrite, **self.rest}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    enabled: bool | None
    dropins: tuple[str, ...]
    mask: bool = False
    settings: Settings | None = None  # what the unit says itself
    overrides: Settings | None = None  # what its drop-ins say, taken together
    rest: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        said = {"settings": self.settings, "overrides": self.overrides}
        known = {key: value for key, value in said.items() if value is not None}
        return {"enabled": self.enabled, "mask": self.mask, "dropins": list(self.dropins), **known, **self.rest}


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything by path. What the source of a snapshot does not tell is None, and is not compared."""

    ignition: str
    files: Mapping[str, File]
    units: Mapping[str, Unit]
    certificates: Mapping[str, tuple[Certificate, ...]]  # PATH, or PATH#FIELD inside a document
    documents: Mapping[str, Mapping[str, Any]]
    kubeconfigs: Mapping[str, Mapping[str, Any]]
    install_config: Mapping[str, Any] = field(repr=False)
    texts: Mapping[str, str] | None = field(default=None, repr=False)  # the files that are nothing of the above
    users: Mapping[str, Mapping[str, Any]] | None = None
    keys: Mapping[str, str] | None = None  # what kind of key is at PATH or PATH#FIELD
    flags: Mapping[str, str] | None = None  # what the kubelet is started with
    rest: Mapping[str, Any] = field(default_factory=dict)  # sections that no bootstrap node of either has
    faults: tuple[Fault, ...] = ()
