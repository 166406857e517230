"""Explains what the readers of a comparison found: each difference by its row, and nothing secret in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardway.compare.row import ABSENT, Addresses, Difference, Row
from hardway.compare.values import ABBREVIATED, decoded

NOTHING_PLANNED = Addresses()
SECRET = re.compile(r"PRIVATE KEY|LS0tLS1CRUdJTi|://[^/@\s]+:[^/@\s]+@")
LONGEST_SHOWN = 100


def explained(
    found: Iterable[Difference], expected: Sequence[Row], planned: Addresses = NOTHING_PLANNED
) -> list[Difference]:
    """Every difference with the first row that explains it; without one it is unexplained."""
    return [
        replace(
            one,
            thing=_name(one.thing),
            aspect=_name(one.aspect),
            theirs=_shown(one.theirs, secret=one.secret),
            ours=_shown(one.ours, secret=one.secret),
            row=next((row for row in expected if row.explains(one, planned)), None),
        )
        for one in found
    ]


def _name(text: str) -> str:
    """A place is shown whole, whatever its length, unless somebody has put a secret where a name belongs."""
    return f"<{len(text)} characters>" if SECRET.search(text) else text


def _shown(value: Any, *, secret: bool) -> Any:
    """A value as it may be printed: nothing secret, and nothing longer than a line."""
    if isinstance(value, str):
        if value == ABSENT or ABBREVIATED.match(value):
            return value
        hidden = secret or len(value) > LONGEST_SHOWN or SECRET.search(decoded(value))
        return f"<{len(value)} characters>" if hidden else value
    if isinstance(value, Mapping):
        return {_name(str(key)): _shown(item, secret=secret) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(item, secret=secret) for item in value]
    return value
