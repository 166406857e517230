"""Every check there is, by what it looks at. Tables are imported only when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import filter as matching
from typing import Any, Literal

from hardway.model.check import Check
from hardway.model.errors import ConfigError

Rows = tuple[Check[Any], ...]
Looks = Literal["files", "host", "lab", "dns", "ports", "haproxy", "live"]
COMMANDS: dict[Looks, str] = {
    "files": "hardway verify",
    "host": "hardway prerequisites",
    "lab": "hardway lab up",
    "dns": "hardway network check",
    "ports": "hardway network check",
    "haproxy": "hardway network check --haproxy FILE",
    "live": "hardway lab run 17",
}
"""What runs the checks of a table."""


def tables() -> dict[Looks, Rows]:
    from hardway.checks.files.table import TABLE as FILES
    from hardway.checks.host.lab import TABLE as LAB
    from hardway.checks.host.table import TABLE as HOST
    from hardway.checks.live.table import TABLE as LIVE
    from hardway.checks.network.dns import TABLE as DNS
    from hardway.checks.network.haproxy.table import TABLE as HAPROXY
    from hardway.checks.network.ports import TABLE as PORTS

    return {"files": FILES, "host": HOST, "lab": LAB, "dns": DNS, "ports": PORTS, "haproxy": HAPROXY, "live": LIVE}


def checks() -> Rows:
    return tuple(check for rows in tables().values() for check in rows)


def named(patterns: Iterable[str]) -> frozenset[str]:
    """The names that patterns such as `dns.*` stand for; one that stands for nothing is a mistake."""
    names = [check.name for check in checks()]
    found = {pattern: matching(names, pattern.removeprefix("check/")) for pattern in patterns}
    if wrong := [_unknown(pattern, names) for pattern, several in found.items() if not several]:
        raise ConfigError("\n".join(wrong))
    return frozenset(name for several in found.values() for name in several)


def _unknown(pattern: str, names: list[str]) -> str:
    near = get_close_matches(pattern, names, n=3, cutoff=0.7)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"there is no check {pattern}.\n    fix: {hint}`hardway explain --list check` lists them"
