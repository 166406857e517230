"""The registries' credentials. No value of it is ever put into a message."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any, NoReturn

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_PATH = "pullSecret"
_GET = "download it from console.redhat.com/openshift, or write what `podman login` leaves in auth.json"
_NEEDED = (("quay.io", "the release's images"), ("registry.redhat.io", "operators from the catalogs"))


def _json(draft: Draft) -> Iterator[Flaw]:
    secret = _parsed(draft.text(_PATH))
    if secret is None:
        yield error(_PATH, "is no JSON object", f"put the whole JSON between single quotes; {_GET}")
        return
    auths = _auths(secret)
    if auths is None:
        yield error(_PATH, "must contain an object of registries under auths, each again an object", _GET)
    elif not auths:
        yield error(_PATH, "contains no registry under auths", _GET)
    for name, entry in (auths or {}).items():
        if not {"auth", "credsStore"}.intersection(entry or {}):
            yield error(_PATH, f"has neither auth nor credsStore for registry {name[:60]!r}", _GET)


def _credentials(draft: Draft) -> Iterator[Flaw]:
    for name, entry in (_auths(_parsed(draft.text(_PATH))) or {}).items():
        if "auth" in (entry or {}) and not _is_user_and_password(entry["auth"]):
            message = (
                f"the auth of registry {name[:60]!r} is not base64 of user:password, so the registry will refuse it"
            )
            yield warn(_PATH, message, _GET)
        elif "credsStore" in (entry or {}):
            message = f"registry {name[:60]!r} names a credential helper, a program that the nodes do not have"
            yield warn(_PATH, message, "give it an auth instead")


def _registries(draft: Draft) -> Iterator[Flaw]:
    auths = _auths(_parsed(draft.text(_PATH)))
    if not auths or draft.values.get("imageDigestSources") or draft.values.get("imageContentSources"):
        return
    hosts = {name.removeprefix("https://").split("/")[0] for name in auths}
    missing = [f"{host} ({use})" for host, use in _NEEDED if host not in hosts]
    if missing:
        yield warn(_PATH, f"has no credentials for {' and '.join(missing)}", _GET)


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_merged)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _merged(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object as Go fills it: a name given twice adds to what is there, and auths has no case."""
    merged: dict[str, Any] = {}
    for key, value in pairs:
        name = "auths" if key.casefold() == "auths" else key
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = {**merged[name], **value} if both else value
    return merged


def _auths(secret: dict[str, Any] | None) -> dict[str, Any] | None:
    """The registries, or None when they are no object of objects."""
    auths = (secret or {}).get("auths") or {}
    if not isinstance(auths, dict) or not all(entry is None or isinstance(entry, dict) for entry in auths.values()):
        return None
    return auths


def _is_user_and_password(auth: Any) -> bool:
    try:
        return isinstance(auth, str) and base64.b64decode(auth, validate=True).find(b":") > 0
    except ValueError:
        return False


RULES = (
    Rule("pull-secret.form", (_PATH,), _json),
    Rule("pull-secret.credentials", (_PATH,), _credentials),
    Rule("pull-secret.registries", (_PATH,), _registries),
)
