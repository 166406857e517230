"""Units and users of two Ignition files, compared by name."""

from __future__ import annotations

from hardway.checks.files.ignition.file import Ign
from hardway.checks.live.served import others


def ign(key: str, unit: str) -> Ign:
    users = [{"name": "core", "sshAuthorizedKeys": [key]}]
    return Ign("x.ign", {"passwd": {"users": users}, "systemd": {"units": [{"name": "a.service", "contents": unit}]}})


def test_what_differs_is_named():
    assert list(others(ign("one", "same"), ign("one", "same"))) == []
    assert list(others(ign("one", "same"), ign("two", "same"))) == ["the user core"]
    assert list(others(ign("one", "this"), ign("one", "that"))) == ["the unit a.service"]
