"""YAML as Go's encoder writes it: keys in its order, its quoting, and long lines folded behind column 80.

The installer keeps the install-config as text inside a ConfigMap, so the text itself has to be the same: whoever
compares two clusters compares these bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cmp_to_key
from math import isfinite
from typing import Any

from hardway.emit.yaml import scalar

WIDTH = 80
STEP = 2

_WORDS = frozenset(
    form
    for word in ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
    for form in (word, word.capitalize(), word.upper())
) | {"", "~", *(f"{sign}.{w}" for sign in ("", "+", "-") for w in ("inf", "Inf", "INF")), ".nan", ".NaN", ".NAN"}
_INTEGER = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\Z")
_TIME = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)"
    r"| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?)\Z"
)
_UNPRINTABLE = r"[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]"  # slow to compile, seldom needed
_NEVER_PLAIN = re.compile(r"""---|\.\.\.|[#,\[\]{}&*!|>'"%@`]|[?:-]( |\Z)| |.*(:( |\Z)| \#| \Z)""", re.DOTALL)
_ESCAPES = {"\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", "\x1b": "e"}
_ESCAPES |= {'"': '"', "\\": "\\", "\x85": "N", "\u2028": "L", "\u2029": "P"}


def dump(document: Mapping[str, Any]) -> str:
    """A mapping as a block, with the newline that Go ends it with."""
    return "\n".join(_mapping(document, 0)) + "\n"


def _mapping(value: Mapping[str, Any], depth: int) -> list[str]:
    lines: list[str] = []
    for key in sorted(value, key=cmp_to_key(_compare)):
        start = " " * depth + _scalar(key, depth, 0) + ":"
        item = value[key]
        if isinstance(item, Mapping) and item:
            lines += [start, *_mapping(item, depth + STEP)]
        elif isinstance(item, Sequence) and not isinstance(item, str) and item:
            lines += [start, *_sequence(item, depth)]
        else:
            lines.append(f"{start} {_scalar(item, depth + STEP, len(start) + 1)}")
    return lines


def _sequence(value: Sequence[Any], depth: int) -> list[str]:
    lines: list[str] = []
    for item in value:
        if isinstance(item, Mapping) and item:
            first, *rest = _mapping(item, depth + STEP)
        elif isinstance(item, Sequence) and not isinstance(item, str) and item:
            first, *rest = _sequence(item, depth + STEP)
        else:
            first, *rest = (" " * (depth + STEP) + _scalar(item, depth + STEP, depth + STEP)).split("\n")
        lines += [" " * depth + "- " + first[depth + STEP :], *rest]
    return lines


def _scalar(value: Any, depth: int, column: int) -> str:
    return _string(value, depth, column) if isinstance(value, str) else scalar(value, depth)


def _string(text: str, depth: int, column: int) -> str:
    if "\n" in text and column:
        return _literal(text, depth) if _fits_a_block(text) else _double(text, depth, column)
    if _means_something_else(text) or _unprintable(text) or "\n" in text:
        return _double(text, depth, column)
    if _NEVER_PLAIN.match(text):
        return _folded("'" + text.replace("'", "''") + "'", depth, column, quoted=True)
    return _folded(text, depth, column, quoted=False)


def _means_something_else(text: str) -> bool:
    """Whether a reader would take the bare text for a number, a time, a truth value or nothing."""
    if text in _WORDS:
        return True
    if text[0] in "+-0123456789":
        digits = text.replace("_", "")
        return bool(_INTEGER.match(digits) or _is_float(digits) or _SEXAGESIMAL.match(text) or _is_time(text))
    return text[0] == "." and _is_float(text)


def _is_float(text: str) -> bool:
    return bool(_FLOAT.match(text)) and isfinite(float(text))


def _is_time(text: str) -> bool:
    found = _DATE.match(text) or _TIME.match(text)
    if not found:
        return False
    try:
        datetime(*(int(n) for n in found.groups() if n is not None))  # type: ignore[arg-type]
    except ValueError:
        return False
    return True


def _unprintable(text: str) -> bool:
    if text.isascii():
        return not text.replace("\n", "").isprintable()
    return re.search(_UNPRINTABLE, text) is not None


def _fits_a_block(text: str) -> bool:
    return not (_unprintable(text) or " \n" in text or text.endswith(" "))


def _literal(text: str, depth: int) -> str:
    hint = str(STEP) if text[0] in " \n" else ""
    chomp = "-" if not text.endswith("\n") else "+" if text == "\n" or text.endswith("\n\n") else ""
    body = text.removesuffix("\n").split("\n")
    return "\n".join([f"|{hint}{chomp}", *(" " * depth + line if line else "" for line in body)])


def _folded(text: str, depth: int, column: int, *, quoted: bool) -> str:
    """The text, broken at single spaces that lie behind the last column; a key (column 0) is never broken."""
    out: list[str] = []
    end = len(text) - 1 if quoted else len(text)
    for index, char in enumerate(text):
        lone = char == " " and text[index - 1] != " " and text[index + 1 : index + 2] != " "
        inside = not quoted or 1 < index < end - 1
        if column > WIDTH and lone and inside:
            out.append("\n" + " " * depth)
            column = depth
        else:
            out.append(char)
            column += bool(column)
    return "".join(out)


def _double(text: str, depth: int, column: int) -> str:
    out = ['"']
    at = column + 1
    for index, char in enumerate(text):
        if char == " " and column and at > WIDTH and 0 < index < len(text) - 1 and text[index - 1] != " ":
            escaped = "\n" + " " * depth + ("\\" if text[index + 1] == " " else "")
            at = depth + escaped.count("\\")
        else:
            escaped = _escaped(char)
            at += len(escaped)
        out.append(escaped)
    return "".join([*out, '"'])


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return "\\" + _ESCAPES[char]
    if not _unprintable(char):
        return char
    code = ord(char)
    return f"\\x{code:02X}" if code <= 0xFF else f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _compare(a: str, b: str) -> int:
    """Letters behind everything else, and digits by the number they form."""
    for index, (x, y) in enumerate(zip(a, b, strict=False)):
        if x == y:
            continue
        if x.isalpha() or y.isalpha():
            return (x > y) - (x < y) if x.isalpha() and y.isalpha() else (1 if x.isalpha() else -1)
        return _compare_numbers(a, b, index) or (x > y) - (x < y)
    return (len(a) > len(b)) - (len(a) < len(b))


def _compare_numbers(a: str, b: str, index: int) -> int:
    lead = "1" if "0" in (a[index], b[index]) and re.search(r"[1-9]\d*\Z", a[:index]) else ""
    runs = [re.match(r"\d*", text[index:]) for text in (a, b)]
    first, second = (run.group() if run else "" for run in runs)
    x, y = int(lead + first or 0), int(lead + second or 0)
    return (x > y) - (x < y) or (len(first) > len(second)) - (len(first) < len(second))
