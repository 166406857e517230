"""When a certificate ends, read from its bytes alone: looking at a folder should not cost an X.509 library."""

from __future__ import annotations

from base64 import b64decode
from datetime import UTC, datetime

_UTC_TIME, _VERSION = 0x17, 0xA0
_SHORT, _LONG = "%y%m%d%H%M%SZ", "%Y%m%d%H%M%SZ"


def deadline(pem: bytes) -> datetime:
    """The end of the first certificate in a PEM file."""
    body = pem.split(b"-----BEGIN CERTIFICATE-----", 1)[1].split(b"-----END", 1)[0]
    certificate, _ = _element(b64decode(body))
    signed, _ = _element(certificate)
    if signed[0] == _VERSION:
        signed = _after(signed)
    for _ in ("serial number", "algorithm", "issuer"):
        signed = _after(signed)
    validity, _ = _element(signed)
    end = _after(validity)
    text, _ = _element(end)
    return datetime.strptime(text.decode(), _SHORT if end[0] == _UTC_TIME else _LONG).replace(tzinfo=UTC)


def _element(data: bytes) -> tuple[bytes, bytes]:
    """The content of the first DER element, and what comes after it."""
    length, start = data[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(data[2:start])
    return data[start : start + length], data[start + length :]


def _after(data: bytes) -> bytes:
    return _element(data)[1]
