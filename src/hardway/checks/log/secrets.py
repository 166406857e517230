"""Credentials in a line of a log: a line is shown as evidence, and a report is sent to others."""

from __future__ import annotations

import re

HIDDEN = "(hidden)"
_VALUE = r"""[^\s"'\\,;&]+"""
_FORMS = (
    re.compile(rf"(?P<before>\b(?:bearer|authorization:?\s+\w+)\s+){_VALUE}", re.IGNORECASE),
    re.compile(rf"""(?P<before>(?:token|secret)(?:=|\\?["']\s*[:=]\s*)\\?["']?){_VALUE}""", re.IGNORECASE),
    re.compile(rf"""(?P<before>passw(?:or)?d\w{{0,30}}\\?["']?(?:\s*[:=]\s*|\s+)\\?["']?){_VALUE}""", re.IGNORECASE),
    re.compile(r"(?P<before>://)[^\s/]*(?=@)"),
    re.compile(r"(?P<before>)\beyJ[\w-]{8,}(?:\.[\w-]*)*"),  # a JSON web token
    re.compile(r"(?P<before>)\bsha256~[\w-]+"),  # a token of OpenShift's OAuth server
)


def without_secrets(line: str) -> str:
    """The line with what looks like a credential replaced."""
    for form in _FORMS:
        line = form.sub(rf"\g<before>{HIDDEN}", line)
    return line
