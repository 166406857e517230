"""A CertificateSigningRequest object as plain values: who asks, for what, with which key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
    spec, status = item["spec"], item.get("status") or {}
    asked, flaw = _asked(spec.get("request") or "")
    return Request(
        name=item["metadata"]["name"],
        uid=item["metadata"].get("uid") or "",
        state=_state(status),
        issued=bool(status.get("certificate")),
        signer=spec.get("signerName") or "",
        user=spec.get("username") or "",
        groups=frozenset(spec.get("groups") or ()),
        usages=frozenset(spec.get("usages") or ()),
        seconds=spec.get("expirationSeconds"),
        asked=asked,
        flaw=flaw,
    )


def _state(status: Mapping[str, Any]) -> State:
    said = {c["type"] for c in status.get("conditions") or () if c.get("status", "True") == "True"}
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
