"""What a registry asks for when it says 401: the WWW-Authenticate header."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PARAMETER = r'[A-Za-z][\w-]*\s*=\s*(?:"[^"]*"|[^\s",]+)'
_CHALLENGE = re.compile(rf"(?i)\b(bearer|basic)\b(?:\s+((?:{_PARAMETER}\s*,?\s*)*))?")
_PAIR = re.compile(r'([A-Za-z][\w-]*)\s*=\s*(?:"([^"]*)"|([^\s",]+))')


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    scheme: str  # basic or bearer
    parameters: Mapping[str, str]


def parse(header: str) -> Challenge | None:
    """The first that we can answer; None if there is none."""
    match = _CHALLENGE.search(header)
    if match is None:
        return None
    pairs = {name.lower(): quoted or plain for name, quoted, plain in _PAIR.findall(match[2] or "")}
    return Challenge(scheme=match[1].lower(), parameters=pairs)
