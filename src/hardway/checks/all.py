"""Every check there is, by what it looks at. Tables are imported only when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import filter as matching
from typing import Any, Literal

from hardway.checks.failures import BY_ID
from hardway.model.check import Check
from hardway.model.errors import ConfigError

Rows = tuple[Check[Any], ...]
Looks = Literal[
    "files", "host", "lab", "dns", "ports", "haproxy", "mirrors", "live", "log", "assets", "record", "cluster", "nodes"
]
COMMANDS: dict[Looks, str] = {
    "files": "hardway verify",
    "host": "hardway prerequisites",
    "lab": "hardway lab up",
    "dns": "hardway network check",
    "ports": "hardway network check",
    "haproxy": "hardway network check --haproxy FILE",
    "mirrors": "hardway network check",
    "live": "hardway lab run 17",
    "log": "hardway doctor --log FILE",
    "assets": "hardway doctor --assets DIR",
    "record": "hardway doctor",
    "cluster": "hardway doctor --kubeconfig FILE",
    "nodes": "hardway doctor",
}
"""What runs the checks of a table."""


def tables() -> dict[Looks, Rows]:
    from hardway.checks.cluster.table import TABLE as CLUSTER
    from hardway.checks.files.table import TABLE as FILES
    from hardway.checks.host.lab import TABLE as LAB
    from hardway.checks.host.table import TABLE as HOST
    from hardway.checks.installer.table import TABLE as ASSETS
    from hardway.checks.live.table import TABLE as LIVE
    from hardway.checks.log.table import TABLE as LOG
    from hardway.checks.network.dns import TABLE as DNS
    from hardway.checks.network.haproxy.table import TABLE as HAPROXY
    from hardway.checks.network.mirrors import TABLE as MIRRORS
    from hardway.checks.network.ports import TABLE as PORTS
    from hardway.checks.nodes.table import TABLE as NODES
    from hardway.checks.record import TABLE as RECORD

    return {
        "files": FILES,
        "host": HOST,
        "lab": LAB,
        "dns": DNS,
        "ports": PORTS,
        "haproxy": HAPROXY,
        "mirrors": MIRRORS,
        "live": LIVE,
        "log": LOG,
        "assets": ASSETS,
        "record": RECORD,
        "cluster": CLUSTER,
        "nodes": NODES,
    }


SYMPTOMS: frozenset[Looks] = frozenset(("ports", "live", "log", "cluster", "nodes"))
"""What is looked at from outside: a finding there is an effect of something that may be wrong elsewhere."""


def checks() -> Rows:
    return tuple(check for rows in tables().values() for check in rows)


def ids() -> list[str]:
    """What a finding can be named by: the failure modes, and the checks."""
    return [*BY_ID, *(check.name for check in checks())]


def named(patterns: Iterable[str]) -> frozenset[str]:
    """The ids that patterns such as `dns.*` stand for; one that stands for nothing is a mistake."""
    names = ids()
    bare = {pattern: pattern.removeprefix("check/").removeprefix("failure/") for pattern in patterns}
    found = {pattern: matching(names, name) for pattern, name in bare.items()}
    if wrong := [_unknown(pattern, names) for pattern, several in found.items() if not several]:
        raise ConfigError("\n".join(wrong))
    return frozenset(name for several in found.values() for name in several)


def _unknown(pattern: str, names: list[str]) -> str:
    near = get_close_matches(pattern, names, n=3, cutoff=0.7)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"there is no check {pattern}.\n    fix: {hint}`hardway explain --list check` lists them"
