"""PEM as Go's encoding/pem reads it: text before a block is skipped, text after the last one is not forgiven."""

from __future__ import annotations

import base64
import re

_BLOCK = (
    r"(?s)(?:\A|\n)-----BEGIN (?P<kind>[^\n]*?)-----[ \t\r]*\n"
    r"(?P<body>(?:.*?\n)??)"
    r"-----END (?P=kind)-----[ \t\r]*(?:\n|\Z)"
)
_HEADER = r"[^\n:]*:[^\n]*\n"


def blocks(text: str) -> list[bytes] | None:
    """The decoded blocks, or None when there is none or something follows the last one."""
    found: list[bytes] = []
    while True:
        decoded, text = _next(text)
        if decoded is None:
            return None
        found.append(decoded)
        if not text:
            return found


def _next(text: str) -> tuple[bytes | None, str]:
    position = 0
    while match := re.compile(_BLOCK).search(text, position):
        body = match["body"]
        while header := re.match(_HEADER, body):
            body = body[header.end() :]
        try:
            return base64.b64decode("".join(body.split()), validate=True), text[match.end() :]
        except ValueError:
            position = match.start() + 1
    return None, ""
