"""JSON from others, read within bounds: a few megabytes of empty lists would become gigabytes of objects."""

from __future__ import annotations

import json
from typing import Any

MOST_VALUES = 3_000_000
"""Values of one text, each of which takes about a hundred bytes. A list of six thousand pods has fewer."""
_BEFORE_A_VALUE = (b",", b"[", b"{", b"\n", b"- ")


def values(content: bytes) -> int:
    """At least as many as a text in JSON or YAML has, without reading it."""
    return sum(map(content.count, _BEFORE_A_VALUE))


def load(content: bytes) -> Any:
    """ValueError for what is none, for what is nested too deeply, and for what is beyond the bound."""
    if sum(map(content.count, _BEFORE_A_VALUE[:3])) > MOST_VALUES:
        raise ValueError(f"the text holds more than {MOST_VALUES} values")
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("the nesting is too deep") from None
