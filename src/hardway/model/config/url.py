"""A URL as Go's url.ParseRequestURI takes it, as far as a proxy's URL needs it."""

from __future__ import annotations

import re
from typing import NamedTuple

from hardway.model.config.addresses import Address, parse_address

_SCHEME = r"(?s)([A-Za-z][A-Za-z0-9+.-]*):(.*)"
_BAD_ESCAPE = r"%(?![0-9A-Fa-f]{2})"
_USER = r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*"
_HOST = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:\[\]<>\"]|[^\x00-\x7f]|%25|%[89A-Fa-f][0-9A-Fa-f])*"
_BRACKETED = r"(?s)\[(.*)\](:[0-9]*)?"


class Url(NamedTuple):
    scheme: str
    host: str  # without port and brackets; empty when there is none

    @property
    def address(self) -> Address | None:
        return parse_address(self.host)


def parse_url(text: str) -> Url | None:
    """The URL, or None when Go would not take it."""
    match = re.fullmatch(_SCHEME, text)
    if not match or any(ord(c) < 0x20 or ord(c) == 0x7F for c in text):
        return None
    scheme, rest = match.group(1).lower(), match.group(2).partition("?")[0]
    if not rest.startswith("/"):
        return Url(scheme, "")
    authority, path = "", rest
    if rest.startswith("//") and not rest.startswith("///"):
        authority, _, path = rest[2:].partition("/")
    if re.search(_BAD_ESCAPE, path):
        return None
    host = _host_of(authority)
    return None if host is None else Url(scheme, host)


def _host_of(authority: str) -> str | None:
    user, at, host = authority.rpartition("@")
    if at and (not re.fullmatch(_USER, user) or re.search(_BAD_ESCAPE, user)):
        return None
    if not re.fullmatch(_HOST, host):
        return None
    if host.startswith("["):
        bracketed = re.fullmatch(_BRACKETED, host)
        return bracketed.group(1) if bracketed else None
    name, _, port = host.rpartition(":") if ":" in host else (host, "", "")
    return None if port and not (port.isascii() and port.isdigit()) else name
