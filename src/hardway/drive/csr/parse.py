"""A CertificateSigningRequest object as plain values: who asks, for what, with which key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from hardway.drive.csr import pkcs10
from hardway.drive.csr.pkcs10 import Asked

State = Literal["pending", "approved", "denied", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    name: str
    uid: str
    state: State
    issued: bool
    signer: str
    user: str
    groups: frozenset[str]
    usages: frozenset[str]
    seconds: int | None  # the lifetime asked for
    asked: Asked | None  # None: the PEM is no sound request
    flaw: str = ""  # why it is none


def parse(item: Mapping[str, Any]) -> Request:
    """Whatever the API answers: what does not have the form of a request has a flaw, and is no sound request."""
    metadata, spec, status = (_Fields(item.get(part)) for part in ("metadata", "spec", "status"))
    conditions = tuple(map(_Fields, status.get("conditions", list, [])))
    request = Request(
        name=metadata.get("name", str, ""),
        uid=metadata.get("uid", str, ""),
        state=_state(conditions),
        issued=bool(status.get("certificate", str, "")),
        signer=spec.get("signerName", str, ""),
        user=spec.get("username", str, ""),
        groups=spec.texts("groups"),
        usages=spec.texts("usages"),
        seconds=spec.get("expirationSeconds", int, None),
        asked=None,
    )
    encoded = spec.get("request", str, "")
    if any(part.odd for part in (metadata, spec, status, *conditions)):
        return replace(request, flaw="the API's answer does not have the form of a request")
    asked, flaw = _asked(encoded)
    return replace(request, asked=asked, flaw=flaw)


class _Fields:
    """A mapping of somebody else's, which notes that a value is not what it should be."""

    def __init__(self, found: object) -> None:
        self.odd = not isinstance(found, dict | None)
        self._found = found if isinstance(found, dict) else {}

    def get(self, name: str, kind: type, default: Any) -> Any:
        value = self._found.get(name)
        if value is None or value == default:
            return default
        self.odd |= not isinstance(value, kind)
        return value if isinstance(value, kind) else default

    def texts(self, name: str) -> frozenset[str]:
        values = self.get(name, list, [])
        self.odd |= not all(isinstance(value, str) for value in values)
        return frozenset(value for value in values if isinstance(value, str))


def _state(conditions: Iterable[_Fields]) -> State:
    said = {c.get("type", str, "") for c in conditions if c.get("status", str, "True") == "True"}
    for condition in conditions:
        condition.odd |= not condition.get("type", str, "")
    if "Denied" in said:
        return "denied"
    if "Failed" in said:
        return "failed"
    return "approved" if "Approved" in said else "pending"


def _asked(encoded: str) -> tuple[Asked | None, str]:
    try:
        return pkcs10.read(encoded), ""
    except pkcs10.Unsound as flaw:
        return None, str(flaw)
