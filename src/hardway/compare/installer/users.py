"""Users, with every key that the program made itself as just that: it is another one each time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

GENERATED = "<a key made for this installation>"
MADE = "ssh-rsa "  # what both make, to be let in for looking at a machine that failed


def logins(users: Mapping[str, Mapping[str, Any]], own: str) -> dict[str, Any]:
    return {name: {**user, **_keys(user, own)} for name, user in users.items()}


def _keys(user: Mapping[str, Any], own: str) -> dict[str, Any]:
    listed = user.get("sshAuthorizedKeys") or []
    if not isinstance(listed, list):
        return {}
    keys = [str(key).strip() for key in listed]
    return {"sshAuthorizedKeys": [key if key == own or not key.startswith(MADE) else GENERATED for key in keys]}
