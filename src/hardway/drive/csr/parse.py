"""A CertificateSigningRequest object as plain values: who asks, for what, with which key."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import NameOID

State = Literal["pending", "approved", "denied", "failed"]
BEGIN, END = b"-----BEGIN CERTIFICATE REQUEST-----", b"-----END CERTIFICATE REQUEST-----"
CURVES = ("secp256r1", "secp384r1", "secp521r1")
SHORTEST_RSA = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the PEM inside says."""

    common_names: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    other_subject: tuple[str, ...] = ()  # attributes that are neither of the two
    dns_names: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    other_names: tuple[str, ...] = ()  # mail addresses, URIs and the like
    other_extensions: tuple[str, ...] = ()
    key: str = ""  # digest of the public key


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
        pem = b64decode(encoded, validate=True).strip()
        if pem.count(BEGIN) != 1 or not pem.startswith(BEGIN) or not pem.endswith(END):
            return None, "it is not exactly one PEM block"
        request = x509.load_pem_x509_csr(pem)
        _ = request.extensions
        if not request.is_signature_valid:
            return None, "its signature does not fit its key"
        return _values(request), _weakness(request)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm, x509.DuplicateExtension):
        return None, "it cannot be read"


def _values(request: x509.CertificateSigningRequest) -> Asked:
    names = _alternative(request)
    dns, addresses = names.get_values_for_type(x509.DNSName), names.get_values_for_type(x509.IPAddress)
    known = (NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME)
    san = x509.SubjectAlternativeName.oid
    return Asked(
        common_names=tuple(str(a.value) for a in request.subject.get_attributes_for_oid(known[0])),
        organizations=tuple(str(a.value) for a in request.subject.get_attributes_for_oid(known[1])),
        other_subject=tuple(a.rfc4514_attribute_name for a in request.subject if a.oid not in known),
        dns_names=frozenset(dns),
        addresses=frozenset(str(a) for a in addresses),
        other_names=tuple(str(n.value) for n in names if not isinstance(n, x509.DNSName | x509.IPAddress)),
        other_extensions=tuple(_called(e.oid) for e in request.extensions if e.oid != san),
        key=_digest(request),
    )


def _called(oid: x509.ObjectIdentifier) -> str:
    return getattr(oid, "_name", "") or oid.dotted_string


def _alternative(request: x509.CertificateSigningRequest) -> x509.SubjectAlternativeName:
    try:
        return request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return x509.SubjectAlternativeName([])


def _weakness(request: x509.CertificateSigningRequest) -> str:
    key = request.public_key()
    if isinstance(key, ec.EllipticCurvePublicKey):
        return "" if key.curve.name in CURVES else f"its key is on the curve {key.curve.name}"
    if isinstance(key, rsa.RSAPublicKey):
        return "" if key.key_size >= SHORTEST_RSA else f"its key has only {key.key_size} bits"
    return "its key is of a kind that no kubelet makes"


def _digest(request: x509.CertificateSigningRequest) -> str:
    return hashlib.sha256(
        request.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    ).hexdigest()
