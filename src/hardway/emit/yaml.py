"""YAML that no reader can mistake: strings are quoted whenever any YAML 1.1 or 1.2 reader could take them for
something else, and each value can carry its reason as a comment at its own depth."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Path = tuple[str | int, ...]
Comments = Callable[[Path, Any], Sequence[str]]

_PLAIN = re.compile(r"(?:--)?[A-Za-z_/][A-Za-z0-9_./@+=,-]*(?::[A-Za-z0-9_./@+=,-]+)*\Z")
_WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "none"])
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _no_comments(path: Path, value: Any) -> Sequence[str]:
    return ()


def dump(document: Any, comments: Comments = _no_comments) -> str:
    """One document as YAML text, keys in the order given."""
    lines: list[str] = [f"# {line}".rstrip() for line in comments((), document)]
    if isinstance(document, Mapping) and document:
        _mapping(document, 0, (), comments, lines)
    elif isinstance(document, list) and document:
        _sequence(document, 0, (), comments, lines)
    else:
        lines.append(scalar(document, 0))
    return "\n".join(lines) + "\n"


def _mapping(
    value: Mapping[str, Any], depth: int, path: Path, comments: Comments, lines: list[str], lead: str = ""
) -> None:
    pad = " " * depth
    for key, item in value.items():
        here = (*path, key)
        _remark(here, item, pad, comments, lines) if not lead else None
        start = (lead or pad) + _key(key) + ":"
        lead = ""
        _value(item, start, depth, here, comments, lines)


def _value(item: Any, start: str, depth: int, path: Path, comments: Comments, lines: list[str]) -> None:
    if isinstance(item, str):  # most are: no need to ask what else it could be
        lines.append(f"{start} {scalar(item, depth + 2)}")
    elif isinstance(item, Mapping) and item:
        lines.append(start)
        _mapping(item, depth + 2, path, comments, lines)
    elif isinstance(item, list | tuple) and item:
        lines.append(start)
        _sequence(item, depth, path, comments, lines)
    else:
        lines.append(f"{start} {scalar(item, depth + 2)}")


def _sequence(value: Sequence[Any], depth: int, path: Path, comments: Comments, lines: list[str]) -> None:
    pad = " " * depth
    for index, item in enumerate(value):
        here = (*path, index)
        _remark(here, item, pad, comments, lines)
        if isinstance(item, Mapping) and item:
            first = next(iter(item))
            _remark((*here, first), item[first], pad, comments, lines)
            _mapping(item, depth + 2, here, comments, lines, lead=f"{pad}- ")
        elif isinstance(item, list | tuple) and item:
            raise ValueError(f"a list directly in a list is not needed here: {path}")
        else:
            lines.append(f"{pad}- {scalar(item, depth + 2)}")


def _remark(path: Path, value: Any, pad: str, comments: Comments, lines: list[str]) -> None:
    lines.extend(f"{pad}# {line}".rstrip() for line in comments(path, value))


def _key(key: str) -> str:
    return key if _is_plain(key) else _quoted(key)


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.match(text)) and text.lower() not in _WORDS


def scalar(value: Any, depth: int) -> str:
    """A value on the line of its key, or a literal block under it."""
    if isinstance(value, str):
        return _text(value, depth)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, list | tuple):
        return "[]"
    raise TypeError(f"{type(value).__name__} has no place in these documents")


def _text(value: str, depth: int) -> str:
    if _is_plain(value):
        return value
    if "\n" in value and _fits_a_block(value):
        return _block(value, depth)
    return _quoted(value)


def _quoted(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(c) or (c if c.isprintable() else f"\\U{ord(c):08x}") for c in text) + '"'


def _fits_a_block(text: str) -> bool:
    body = text.rstrip("\n")
    return (
        text.replace("\n", "").isprintable()
        and bool(body)
        and not body.startswith((" ", "\n"))
        and len(text) - len(body) <= 1
        and not any(line != line.rstrip() for line in body.split("\n"))
    )


def _block(text: str, depth: int) -> str:
    header = "|" if text.endswith("\n") else "|-"
    pad = " " * depth
    return "\n".join([header, *(f"{pad}{line}" if line else "" for line in text.rstrip("\n").split("\n"))])
