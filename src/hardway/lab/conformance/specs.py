"""The names of the conformance tests, as e2e.test of the pinned module has them, and what of them is run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from hardway.lab.conformance.skipped import TABLE, Skipped
from hardway.model.errors import ConfigError

_FAMILY = re.compile(r"\[(sig-[a-z-]+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a run is about: the tests to run, and those that are left out, with the row that says why."""

    run: tuple[str, ...]
    skipped: Mapping[str, Skipped]


@cache
def names() -> tuple[str, ...]:
    return tuple(json.loads(files("hardway.lab.conformance").joinpath("specs.json").read_text()))


def family(name: str) -> str:
    """The group of Kubernetes that a test belongs to: sig-network, for example."""
    found = _FAMILY.match(name)
    return found[1] if found else "other"


def choose(focus: str = "", *, every: Iterable[str] | None = None) -> Chosen:
    """The tests whose name the pattern matches, without those that this lab cannot run."""
    wanted = _pattern(focus)
    found = [name for name in (names() if every is None else every) if wanted.search(name)]
    rows = {name: row for name in found if (row := _row(name))}
    if not found:
        raise ConfigError(
            f"--focus {focus}: no conformance test has a name that matches.\n"
            "    fix: give a part of a name, such as sig-apps; `hardway lab conformance --dry-run` lists all names"
        )
    return Chosen(run=tuple(name for name in found if name not in rows), skipped=rows)


def _pattern(focus: str) -> re.Pattern[str]:
    try:
        return re.compile(focus)
    except re.error as error:
        raise ConfigError(
            f"--focus {focus}: is not a regular expression: {error}.\n"
            "    fix: write a backslash before a bracket that is meant as such: '\\[sig-apps\\]'"
        ) from None


def _row(name: str) -> Skipped | None:
    return next((row for row in TABLE if re.search(row.pattern, name)), None)
