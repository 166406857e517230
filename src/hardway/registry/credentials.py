"""Which entry of a pull secret is for which repository."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hardway.model.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    key: str  # as written in the pull secret; the only thing of it that may be shown
    basic: str = field(repr=False)  # base64 of user:password

    @property
    def header(self) -> str:
        return f"Basic {self.basic}"


def login_for(pull_secret: str, name: str) -> Login | None:
    """The most specific entry for `host/repository`: a key is a host, or a host and the beginning of a path."""
    entries = _entries(pull_secret)
    matching = [key for key in entries if _covers(_plain(key), name)]
    if not matching:
        return None
    key = max(matching, key=lambda k: len(_plain(k)))
    return Login(key=key, basic=_basic(key, entries[key]))


def _entries(pull_secret: str) -> Mapping[str, Any]:
    if not pull_secret.strip():
        return {}
    try:
        entries = json.loads(pull_secret)["auths"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ConfigError(
            'the pull secret is not JSON of the form {"auths": {HOST: {"auth": …}}}\n'
            "    fix: put it there as it was downloaded (its content is not shown here)"
        ) from None
    return entries if isinstance(entries, dict) else {}


def _plain(key: str) -> str:
    """Without the scheme and the API version that old clients write."""
    return re.sub(r"(?:/v[12])?/?$", "", re.sub(r"^https?://", "", key))


def _covers(key: str, name: str) -> bool:
    return name == key or name.startswith(f"{key}/")


def _basic(key: str, entry: Any) -> str:
    fields = entry if isinstance(entry, dict) else {}
    if fields.get("username") and not fields.get("auth"):
        return base64.b64encode(f"{fields['username']}:{fields.get('password', '')}".encode()).decode()
    try:
        pair = base64.b64decode(str(fields.get("auth", "")), validate=True)
    except binascii.Error:
        pair = b""
    if b":" not in pair:
        raise ConfigError(
            f"pull secret: the entry for {key!r} has no base64 of USER:PASSWORD in its `auth`\n"
            "    fix: log in to that registry again (podman login) and take its entry, or remove this one"
        )
    return base64.b64encode(pair).decode()
