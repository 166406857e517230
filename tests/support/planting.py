"""Our bootstrap.ign for the reference's install-config, and ways to spoil a copy of it."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import cache
from typing import Any

import yaml

from hardway.compare.installer.reading import read_ours, read_reference
from hardway.compare.installer.snapshot import Snapshot
from tests.support import references
from tests.support.edited import edited
from tests.support.manifests import make

REFERENCE = references.WHOLE["3+2"]
MANIFESTS = "/opt/openshift/manifests/"
SECRETS = "/etc/kubernetes/bootstrap-secrets/"


@cache
def good() -> bytes:
    reference = read_reference(REFERENCE)
    return make(yaml.safe_dump(dict(reference.install_config)), keys="rsa-2048").content("ignition/bootstrap")


@cache
def good_snapshot() -> Snapshot:
    return read_ours(good())


def entry(config: dict[str, Any], path: str) -> dict[str, Any]:
    return next(f for f in config["storage"]["files"] if f["path"] == path)


def rewrite(config: dict[str, Any], path: str, change: Callable[[str], str]) -> None:
    """Put a changed text into a file."""
    contents = entry(config, path)["contents"]
    text = change(b64decode(contents["source"].partition(",")[2]).decode())
    contents["source"] = f"data:text/plain;charset=utf-8;base64,{b64encode(text.encode()).decode()}"


def edit(config: dict[str, Any], path: str, change: Callable[[Any], Any]) -> None:
    """Change a document in place."""
    rewrite(config, path, lambda text: edited(text, change))


def unit(config: dict[str, Any], name: str) -> dict[str, Any]:
    return next(u for u in config["systemd"]["units"] if u["name"] == name)


def swap(config: dict[str, Any], path: str, other: str) -> None:
    """Put another file's content in its place."""
    entry(config, path)["contents"] = entry(config, other)["contents"]


DNS = f"{MANIFESTS}cluster-dns-02-config.yml"
