"""Finds the line of a release. A folder `vMAJOR_MINOR` in this package is a line; nothing lists them."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from hardway import lines
from hardway.lines.line import Line, folder_of

_VERSION = re.compile(r"(\d+\.\d+)\.\d+(?:[-+][0-9A-Za-z.+-]+)?")
_FOLDER = re.compile(r"v\d+_\d+")


def minor_of(version: str) -> str:
    """4.18 of 4.18.3, 4.18.0-rc.1 and the like; empty if it is no version."""
    match = _VERSION.fullmatch(version)
    return match[1] if match else ""


def line_of(version: str) -> Line | None:
    """The line of a release's version, pre-releases included; None if there is no such line."""
    wanted = folder_of(minor_of(version))
    return _line(wanted) if wanted in _folders() else None


def known_lines() -> tuple[Line, ...]:
    """Every line, the oldest first."""
    found = [_line(folder) for folder in _folders()]
    return tuple(sorted(found, key=lambda line: [int(number) for number in line.minor.split(".")]))


def _folders() -> frozenset[str]:
    return _folders_in(tuple(lines.__path__))


@cache
def _folders_in(places: tuple[str, ...]) -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(places) if _FOLDER.fullmatch(module.name))


def _line(folder: str) -> Line:
    line: Line = import_module(f"{lines.__name__}.{folder}").LINE
    return line
