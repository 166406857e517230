"""How a container's program is started: the program itself, its flags, and whether a shell is in between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardway.compare.scripts import commands

SHELLS = ("/bin/sh", "/bin/bash", "sh", "bash")
WHOLE = ("--tls-sni-cert-key", "--strict-transport-security-directives")  # a comma in these separates nothing
VARIABLES = {"etcd": "ETCD_"}  # programs that take a flag from a variable of the same name
Settings = dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    program: str
    flags: Settings
    shell: bool
    script: tuple[str, ...]  # what the shell does besides
    variables: frozenset[str]  # flags that came by a variable


def command(container: Mapping[str, Any]) -> Command:
    words = [*map(str, container.get("command") or ()), *map(str, container.get("args") or ())]
    shell = bool(words) and words[0] in SHELLS
    before: tuple[str, ...] = ()
    if shell:
        *first, words = commands(_joined(words[-1])) or [[]]
        before = tuple(" ".join(line) for line in first)
        words = words[1:] if words[:1] == ["exec"] else words
    program = [word for word in words if not word.startswith("-")]
    flags = _flags(word for word in words if word.startswith("-"))
    given = _variables(str(container.get("name")), container) if program else {}
    return Command(
        program=" ".join(program),
        flags={**{flag: split(flag, [value]) for flag, value in given.items()}, **flags},
        shell=shell,
        script=before,
        variables=frozenset(given),
    )


def _joined(script: str) -> str:
    """One command a line: folded text has its flags on lines of their own."""
    return script.replace("\\\n", " ").replace("\n--", " --").replace("\n  --", " --")


def _flags(words: Any) -> Settings:
    found: Settings = {}
    for word in words:
        name, _, value = word.partition("=")
        found.setdefault(name, []).extend(split(name, [value]))
    return found


def split(flag: str, given: list[str]) -> list[str]:
    """A list is written with commas or by giving the flag again: both mean the same."""
    return given if flag in WHOLE else [part for value in given for part in value.split(",")]


def _variables(name: str, container: Mapping[str, Any]) -> dict[str, str]:
    prefix = VARIABLES.get(name)
    if not prefix:
        return {}
    named = {e["name"]: str(e.get("value")) for e in container.get("env") or () if e["name"].startswith(prefix)}
    return {"--" + n.removeprefix(prefix).lower().replace("_", "-"): value for n, value in named.items()}
