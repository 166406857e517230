"""How the installer's YAML reader takes a bare word: a number, a truth value, nothing, or text.

It is YAML 1.1 without base-60 numbers and with dates left as text: `yes` is true, `010` is eight, `2024-01-01` and
`52:54:00:12:34:56` are text. PyYAML's own resolver differs, which is why the words are resolved here.
"""

from __future__ import annotations

import base64
import math
import re
import struct

Value = str | int | float | bool | None

TAGS = "tag:yaml.org,2002:"
_WORDS: dict[str, bool | float | None] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_INTEGER = r"(?a)([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))"
_FLOAT = r"(?a)[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"


def bare(text: str) -> Value:
    """The value of a word without quotes and without a tag."""
    if text in _WORDS:
        return _WORDS[text]
    if not text[0].isascii() or not (text[0].isdigit() or text[0] in "+-."):
        return text
    digits = text if text[0] == "." else text.replace("_", "")
    number = _integer(digits)
    return number if number is not None else _float(digits, text)


def tagged(text: str, tag: str) -> Value:
    """The value of a word with a tag; ValueError when the two contradict each other."""
    short = tag.removeprefix(TAGS)
    if short == "binary":
        return _from_base64(text)
    if tag == short or short not in ("int", "float", "bool", "null"):
        return text
    value = bare(text)
    if short == "float" and type(value) is int:
        return float(value)
    wanted = {"int": int, "float": float, "bool": bool, "null": type(None)}[short]
    if type(value) is not wanted:
        raise ValueError(f"the tag !!{short} does not fit the value")
    return value


def as_text(value: Value) -> str:
    """What the installer makes of a number or truth value where it wants text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _shortest_float32(value)
    return str(value)


def _integer(text: str) -> int | None:
    match = re.fullmatch(_INTEGER, text)
    if not match:
        return None
    sign, sixteen, two, eight, ten = match.groups()
    digits, base = (sixteen, 16) if sixteen else (two, 2) if two else (eight, 8) if eight else (ten, 10)
    if len(digits) > 64:
        return None
    number = int(digits, base)
    if not sign:
        return number if number < 2**64 else None
    number = -number if sign == "-" else number
    return number if -(2**63) <= number < 2**63 else None


def _float(digits: str, text: str) -> float | str:
    if not re.fullmatch(_FLOAT, digits):
        return text
    number = float(digits)
    return text if math.isinf(number) else number


def _from_base64(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode()
    except ValueError as error:
        raise ValueError("the tag !!binary wants base64 of text") from error


def _shortest_float32(value: float) -> str:
    """The fewest digits that still mean the same single-precision number, exponents from the sixth place on."""
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else f"{'+' if value > 0 else '-'}Inf"
    if abs(value) > 3.4028235677973366e38:
        return "+Inf" if value > 0 else "-Inf"
    single = _single(value)
    precision = next((n for n in range(9) if _single(float(f"{single:.{n}e}")) == single), 9)
    mantissa, exponent = f"{single:.{precision}e}".split("e")
    power = int(exponent)
    if power < -4 or power >= 6:
        return f"{mantissa}e{power:+03d}"
    return f"{single:.{max(precision - power, 0)}f}"


def _single(value: float) -> float:
    packed: float = struct.unpack("f", struct.pack("f", value))[0]
    return packed
