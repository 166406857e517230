"""What is known of a MachineConfig before the machine-config operator and Ignition read it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from hardway.lines.line import Line
from hardway.model.own.document import Own
from hardway.model.own.reasons import Rule

ROLE = "machineconfiguration.openshift.io/role"
UNITS = ("service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope")
MODES = (400, 440, 444, 500, 550, 555, 600, 640, 644, 660, 664, 666, 700, 711, 750, 755, 770, 775, 777)
"""Digits of usual modes in octal. Written without the leading zero, each is a decimal number and another mode (F17)."""
_VERSION = "spec.config.ignition.version"


class Flaw(NamedTuple):
    rule: Rule
    path: str
    message: str
    fix: str


def flaws(own: Own, pools: set[str], line: Line) -> Iterator[Flaw]:
    yield from _role(own, pools)
    yield from _arguments(own)
    if own.at("spec.config") is None:  # kernel arguments, extensions or a kernel alone
        return
    version = own.at(_VERSION)
    if version not in line.ignition.merged:
        message = f"is {str(version)[:80]!r}, and the machine-config operator reads {', '.join(line.ignition.merged)}"
        yield Flaw("ignition", _VERSION, message, f"write version: {line.ignition.written}")
    yield from _placed(own)
    yield from _units(own)


def _role(own: Own, pools: set[str]) -> Iterator[Flaw]:
    labels: Any = own.at("metadata.labels")
    role = labels.get(ROLE) if isinstance(labels, dict) else None
    if not isinstance(role, str) or role not in pools:
        message = f"the label {ROLE} is {'missing' if role is None else repr(str(role)[:80])}: no pool takes it"
        yield Flaw("role", "metadata.labels", message, f"write {ROLE}: {' or '.join(sorted(pools))}")


def _arguments(own: Own) -> Iterator[Flaw]:
    path = "spec.kernelArguments"
    found = own.at(path)
    if found is not None and not (isinstance(found, list) and all(isinstance(word, str) for word in found)):
        message = "must be a list of texts: the API server refuses anything else"
        yield Flaw("kernel-arguments", path, message, f"write one a line, each in quotes: {path}: ['audit=1']")


def _boolean(path: str, value: Any) -> Iterator[Flaw]:
    if value is not None and not isinstance(value, bool):
        message = f"is {str(value)[:40]!r}, and must be true or false"
        yield Flaw("boolean", path, message, "write true or false, without quotes")


def _source(path: str, contents: Any) -> Iterator[Flaw]:
    """Ignition reads a URL."""
    source = contents.get("source") if isinstance(contents, dict) else None
    if source and not (isinstance(source, str) and re.match(r"[a-z][a-z0-9]*:", source)):
        message = f"is {str(source)[:40]!r}, which is no URL"
        yield Flaw("source", f"{path}.contents.source", message, "write data:, and the text after it, percent-encoded")


def _placed(own: Own) -> Iterator[Flaw]:
    """Files, directories and links: a path that is absolute, each one once, and a mode that is meant."""
    seen: set[str] = set()
    for what in ("directories", "files", "links"):
        for path, entry in _entries(own, f"spec.config.storage.{what}"):
            target = entry.get("path")
            if not isinstance(target, str) or not target.startswith("/"):
                said = f"is {target[:80]!r}, and must be absolute" if isinstance(target, str) else "is missing"
                yield Flaw("path", f"{path}.path", said, "write the whole path, such as /etc/motd.d/own")
            elif target in seen:
                message = f"{target[:80]} is in this MachineConfig twice, and Ignition refuses that"
                yield Flaw("path", f"{path}.path", message, "keep one of the two")
            else:
                seen.add(target)
            yield from _mode(own, f"{path}.mode", entry.get("mode"))
            yield from _boolean(f"{path}.overwrite", entry.get("overwrite"))
            yield from _source(path, entry.get("contents"))


def _mode(own: Own, path: str, mode: Any) -> Iterator[Flaw]:
    if mode is None:
        return
    if isinstance(mode, bool) or not isinstance(mode, int) or not 0 <= mode <= 0o7777:
        message = f"is {str(mode)[:40]!r}, and must be a whole number of 0 to 4095 (07777)"
        yield Flaw("mode", path, message, "write it without quotes, such as 420, which is 0644")
    elif mode in MODES and not re.search(r"mode['\"]?\s*:\s*0", own.line(path)):
        meant = int(str(mode), 8)
        message = f"the decimal number {mode} is the mode {mode:05o} (F17)"
        yield Flaw("mode", path, message, f"write {meant}, which is 0{mode}; to mean {mode:05o}, write it so")


def _units(own: Own) -> Iterator[Flaw]:
    for path, unit in _entries(own, "spec.config.systemd.units"):
        name = unit.get("name")
        if not isinstance(name, str) or not name.endswith(tuple(f".{kind}" for kind in UNITS)) or "/" in name:
            said = f"is {name[:80]!r}, which is no unit" if isinstance(name, str) else "is missing"
            yield Flaw("unit", f"{path}.name", said, "write a name with its type at the end, such as own.service")
        for field in ("enabled", "mask"):
            yield from _boolean(f"{path}.{field}", unit.get(field))
        for below, dropin in _entries(own, f"{path}.dropins", unit.get("dropins")):
            name = dropin.get("name")
            if not isinstance(name, str) or not name.endswith(".conf") or "/" in name:
                said = f"is {name[:80]!r}, which systemd does not read" if isinstance(name, str) else "is missing"
                yield Flaw("unit", f"{below}.name", said, "write a name that ends with .conf, such as 10-own.conf")


def _entries(own: Own, path: str, value: Any = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The mappings of a list, with their paths; what is none is left to the machine-config operator."""
    found = own.at(path) if value is None else value
    for index, entry in enumerate(found if isinstance(found, list) else ()):
        if isinstance(entry, dict):
            yield f"{path}[{index}]", entry
