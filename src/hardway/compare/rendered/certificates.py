"""Certificates and keys inside objects and files, each taken apart, and each held against what is beside it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any
from warnings import catch_warnings, simplefilter

from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ExtensionNotFound

from hardway.compare import certificates, keys
from hardway.compare.certificates import BEGIN, Certificate
from hardway.manifests import handover

_WHEN = re.compile(r"@\d{9,11}(?=,|\Z)")
SAID = "<what the certificate says>"
NAMES = "<the first of its names>"
MARKS = (handover.NOT_BEFORE, handover.NOT_AFTER, handover.ISSUER, handover.HOSTNAMES)
Pems = Mapping[str, bytes]


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
    """Without the moment in a signer's name."""
    names = sorted({certificates.bare(name) for name in found.get("sans", ())})
    subject = f"CN={NAMES}" if names and found["subject"] == f"CN={names[0]}" else found["subject"]
    return found | {"subject": _WHEN.sub("@<when>", subject), "issuer": _WHEN.sub("@<when>", found["issuer"])}


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
