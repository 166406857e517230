"""Certificates and keys inside objects and files, each taken apart, and each held against what is beside it."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator, Mapping
from typing import Any
from warnings import catch_warnings, simplefilter

from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ExtensionNotFound

from hardway.compare import certificates, keys
from hardway.compare.certificates import BEGIN
from hardway.compare.snapshot import Certificate
from hardway.manifests import handover

_WHEN = re.compile(r"@\d{9,11}(?=,|\Z)")
SAID = "<what the certificate says>"
NAMES = "<the first of its names>"
MARKS = (handover.NOT_BEFORE, handover.NOT_AFTER, handover.ISSUER, handover.HOSTNAMES)
Pems = Mapping[str, bytes]


def inside(body: Mapping[str, Any]) -> dict[str, bytes]:
    """Every PEM of an object, by its key in data."""
    data = body.get("data") or {}
    found = {key: _pem(value, secret=body.get("kind") == "Secret") for key, value in data.items()}
    return {key: pem for key, pem in found.items() if pem.startswith(b"-----BEGIN ")}


def _pem(value: Any, *, secret: bool) -> bytes:
    try:
        return b64decode(str(value), validate=True) if secret else str(value).encode()
    except (NotBase64, ValueError):
        return b""


def described(pems: Pems) -> dict[str, Any]:
    """What can be said of each without showing it; a certificate's digest is no secret."""
    with catch_warnings():
        simplefilter("ignore")  # one name is longer than X.509 allows, and has to be
        return {place: _one(pem) for place, pem in pems.items()} | _faults(pems)


def _one(pem: bytes) -> Any:
    if BEGIN.encode() not in pem:
        return {"kind": keys.kind(pem)}
    found = [_said(one) for one in certificates.describe(pem)]
    digests = [hashlib.sha256(one.public_bytes(Encoding.DER)).hexdigest() for one in keys.certificates(pem)]
    return [{**said, "digest": digest} for said, digest in zip(found, digests, strict=True)]


def _said(found: Certificate) -> Certificate:
    """Without the moment in a signer's name, and without an order where there is none."""
    said = {key: tuple(sorted(value)) if isinstance(value, list) else value for key, value in found.items()}
    names = sorted({certificates.bare(name) for name in said.get("sans", ())})
    if names and said["subject"] == f"CN={names[0]}":
        said["subject"] = f"CN={NAMES}"
    return said | {key: _WHEN.sub("@<when>", str(said[key])) for key in ("subject", "issuer")}


def _faults(pems: Pems) -> dict[str, Any]:
    keyed = {place: pem for place, pem in pems.items() if BEGIN.encode() not in pem}
    found = keys.faults(keyed, {place: pem for place, pem in pems.items() if place not in keyed})
    return {f"{place}: {aspect}": what for place, aspect, what in found}


def marks(body: Mapping[str, Any], pems: Pems) -> dict[str, Any]:
    """An object's annotations; those that repeat its certificate say so, unless they say something else."""
    given = dict((body.get("metadata") or {}).get("annotations") or {})
    pem = pems.get("tls.crt", b"")
    if BEGIN.encode() not in pem:
        return given
    try:
        true = handover.of(pem, "", hostnames=handover.HOSTNAMES in given)
    except (ValueError, LookupError, ExtensionNotFound):  # no certificate, or one without what is said of it
        true = {}
    return {key: SAID if key in MARKS and value == true.get(key) else value for key, value in given.items()}


def files(found: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The PEM files among others."""
    return ((path, text) for path, text in found.items() if text.startswith(b"-----BEGIN "))
