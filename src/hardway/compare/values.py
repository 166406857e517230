"""When two values of a field are the same: random ones by their form, shortened ones by their length."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hardway.compare.row import ABSENT

ABBREVIATED = re.compile(r"<([0-9]{1,7}) characters>\Z")  # as much as is made again, and no more
_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")
_SUFFIX = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{5}\Z")
Pair = tuple[str, Any, Any]


def pairs(theirs: Any, ours: Any, path: str = "") -> Iterator[Pair]:
    """Every place where two documents differ, at the smallest part that does."""
    if isinstance(theirs, Mapping) and isinstance(ours, Mapping):
        for key in sorted({*theirs, *ours}, key=str):
            below = f"{path}.{key}" if path else str(key)
            yield from pairs(theirs.get(key, ABSENT), ours.get(key, ABSENT), below)
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for index, (first, second) in enumerate(zip(theirs, ours, strict=True)):
            yield from pairs(first, second, f"{path}[{index}]")
    elif not same(path, theirs, ours):
        yield path, theirs, ours


def fields(body: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value of a document, with its place."""
    if isinstance(body, Mapping):
        for key, value in body.items():
            yield from fields(value, f"{path}.{key}" if path else str(key))
    elif isinstance(body, list):
        for index, value in enumerate(body):
            yield from fields(value, f"{path}[{index}]")
    else:
        yield path, body


def same(path: str, theirs: Any, ours: Any) -> bool:
    if (theirs == ours and type(theirs) is type(ours)) or (_is_no_list(theirs) and _is_no_list(ours)):
        return True
    if not isinstance(theirs, str) or not isinstance(ours, str):
        return False
    if shortened := ABBREVIATED.match(theirs):
        return form(path, ours) != ours or len(ours) == int(shortened.group(1))
    return form(path, theirs) == form(path, ours)


def _is_no_list(value: Any) -> bool:
    """Go writes a list that was never made as null and an empty one as []; readers cannot tell them apart."""
    return value is None or value == []


def form(path: str, value: str) -> str:
    """What remains of a value when everything random is taken out of it."""
    for pattern, reduce in _FORMS.items():
        if path.endswith(pattern):
            return reduce(value)
    text = decoded(value)
    if "-----BEGIN" in text[:12]:
        return "<private key>" if " PRIVATE KEY-----" in text[:40] else "<certificates>"
    return value


def decoded(value: str) -> str:
    """The value, or what it is the base64 of if that is PEM."""
    return _base64(value) if value.startswith("LS0tLS1CRUdJTi") else value


def _base64(value: str) -> str:
    try:
        return b64decode(value, validate=True).decode()
    except (NotBase64, UnicodeDecodeError):
        return value


def _hash(value: str) -> str:
    plain = _base64(value)
    return f"<bcrypt {plain[:7]}>" if plain.startswith("$2") and len(plain) == 60 else value


def _pointer(value: str) -> str:
    """A pointer config without the certificate in it."""
    try:
        config = json.loads(_base64(value))
        for authority in config["ignition"]["security"]["tls"]["certificateAuthorities"]:
            authority["source"] = "<certificates>"
    except (ValueError, KeyError, TypeError, RecursionError):
        return value
    return json.dumps(config, sort_keys=True)


_FORMS: Mapping[str, Callable[[str], str]] = {
    "spec.clusterID": lambda value: _UUID4.sub("<uuid>", value),
    "status.infrastructureName": lambda value: _SUFFIX.sub("-<suffix>", value),
    "data.kubeadmin": _hash,
    "data.userData": _pointer,
}
