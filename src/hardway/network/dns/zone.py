"""A zone file as RFC 1035 has it, read: the records that this tool asks about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hardway.model.errors import ConfigError

KINDS = ("A", "AAAA", "PTR", "SRV", "CNAME")
NAMES = {"PTR": 0, "CNAME": 0, "SRV": 3}
"""Which word of a kind's data is a name, and is completed by the origin."""


def read_zone(given: str) -> dict[tuple[str, str], list[str]]:
    """[NAME=]FILE: the zone's name, unless the file has an $ORIGIN or is called db.NAME."""
    name, _, file = given.rpartition("=")
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}.\n    fix: give a file that can be read") from None
    origin = name or (path.name.removeprefix("db.") if path.name.startswith("db.") else "")
    if not origin and not re.search(r"^\$ORIGIN", text, re.MULTILINE | re.IGNORECASE):
        raise ConfigError(f"{path}: which zone is it?\n    fix: write its name before it, as example.com={path}")
    return records(text, origin.rstrip("."))


def records(text: str, origin: str) -> dict[tuple[str, str], list[str]]:
    """Name and kind to values, names complete and in lower case."""
    found: dict[tuple[str, str], list[str]] = {}
    owner = origin
    for words, indented in _entries(text):
        if words[0].upper() == "$ORIGIN" and len(words) > 1:
            origin = _complete(words[1], origin)
        elif not words[0].startswith("$"):
            owner = owner if indented else _complete(words[0], origin)
            kind, data = _kind(words if indented else words[1:])
            if kind in KINDS:
                found.setdefault((owner, kind), []).append(_value(kind, data, origin))
    return found


def _kind(words: list[str]) -> tuple[str, list[str]]:
    """The record's kind and its data: what follows on lifetime and class, in either order."""
    while words and re.fullmatch(r"(IN|CH|HS|(\d+[smhdw]?)+)", words[0], re.IGNORECASE):
        words = words[1:]
    return (words[0].upper(), words[1:]) if words else ("", [])


def _value(kind: str, data: list[str], origin: str) -> str:
    place = NAMES.get(kind)
    if place is not None and place < len(data):
        data = [*data[:place], _complete(data[place], origin), *data[place + 1 :]]
    return " ".join(data).lower()


def _complete(name: str, origin: str) -> str:
    if name == "@":
        return origin.lower()
    whole = name.rstrip(".") if name.endswith(".") or not origin else f"{name}.{origin}"
    return whole.lower()


def _entries(text: str) -> Iterator[tuple[list[str], bool]]:
    """Each entry's words, and whether it stands under the owner of the one before; parentheses join lines."""
    depth, words, indented = 0, list[str](), False
    for line in text.splitlines():
        bare = re.sub(r";.*", "", line)
        if not depth:
            words, indented = [], bare[:1].isspace()
        depth += bare.count("(") - bare.count(")")
        words += re.sub(r"[()\"]", " ", bare).split()
        if words and not depth:
            yield words, indented
