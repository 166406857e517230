"""Certificates taken apart into the few things that matter to whoever checks them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from cryptography import x509

from hardway.compare import keys

Certificate = dict[str, Any]
"""subject, issuer, lifetime_hours, key, ca, and where they are known: key_usage, extended_key_usage, sans, signature,
extensions. What has no order is a sorted tuple."""
BEGIN = "-----BEGIN CERTIFICATE-----"
HOUR = timedelta(hours=1)
RSA, KINDS = "rsa-2048", ("ecdsa-p256", "rsa-4096")
_USAGES = (
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "key_cert_sign",
    "crl_sign",
)
_TYPES: dict[type, str] = {x509.DNSName: "DNS:", x509.IPAddress: "IP:"}


def describe(pem: bytes) -> tuple[Certificate, ...]:
    """Every certificate of a file, in the file's order."""
    return tuple(_one(certificate) for certificate in keys.certificates(pem))


def _one(certificate: x509.Certificate) -> Certificate:
    said: Certificate = {
        "subject": certificate.subject.rfc4514_string(),
        "issuer": certificate.issuer.rfc4514_string(),
        "lifetime_hours": round((certificate.not_valid_after_utc - certificate.not_valid_before_utc) / HOUR),
        "key": keys.public_kind(certificate.public_key()),
        "ca": _is_ca(certificate),
        "signature": certificate.signature_hash_algorithm.name if certificate.signature_hash_algorithm else "",
        "extensions": _extensions(certificate),
    }
    extras = {
        "key_usage": _key_usage(certificate),
        "extended_key_usage": _extended_key_usage(certificate),
        "sans": _names(certificate),
    }
    return unordered(said | {key: value for key, value in extras.items() if value})


def unordered(said: Certificate) -> Certificate:
    """Names and usages have no order, and are told whole: which one of them differs says little."""
    return {key: tuple(sorted(value)) if isinstance(value, list) else value for key, value in said.items()}


def _extensions(certificate: x509.Certificate) -> list[str]:
    """Which there are, and which of them a reader must understand."""
    found = [f"{e.oid._name}{', critical' if e.critical else ''}" for e in certificate.extensions]
    constraints = _extension(certificate, x509.BasicConstraints)
    depth = constraints.path_length if constraints else None
    return found if depth is None else [*found, f"path length {depth}"]


def _extension(certificate: x509.Certificate, kind: type[Any]) -> Any:
    try:
        return certificate.extensions.get_extension_for_class(kind).value
    except x509.ExtensionNotFound:
        return None


def _is_ca(certificate: x509.Certificate) -> bool:
    constraints = _extension(certificate, x509.BasicConstraints)
    return bool(constraints and constraints.ca)


def _key_usage(certificate: x509.Certificate) -> list[str]:
    usage = _extension(certificate, x509.KeyUsage)
    return [name for name in _USAGES if usage and getattr(usage, name)]


def _extended_key_usage(certificate: x509.Certificate) -> list[str]:
    usage = _extension(certificate, x509.ExtendedKeyUsage)
    return [oid._name for oid in usage or ()]


def _names(certificate: x509.Certificate) -> list[str]:
    names = _extension(certificate, x509.SubjectAlternativeName)
    return [_TYPES.get(type(name), "other:") + str(name.value) for name in names or ()]


def bare(name: str) -> str:
    """A name without its type, which not every description of a certificate tells."""
    return next((name.removeprefix(kind) for kind in _TYPES.values() if name.startswith(kind)), name)


def is_an_hour_more(theirs: int, ours: int) -> bool:
    """Ours is valid since an hour before it was made."""
    return ours == theirs + 1


def is_of_other_kind(theirs: Any, ours: Any) -> bool:
    """A key of another kind than RSA 2048, which others make, and nothing else different."""
    return isinstance(theirs, str) and RSA in theirs and ours in (theirs.replace(RSA, kind) for kind in KINDS)


def enciphers_no_key(theirs: Any, ours: Any) -> bool:
    """Only an RSA key can encipher another key; every other usage is the same."""
    return set(theirs) - {"key_encipherment"} == set(ours)


def alike(one: Certificate, other: Certificate) -> tuple[Certificate, Certificate]:
    """Both with what both tell: a description may leave out how it was signed, and of which type a name is."""
    shared = {"signature", "extensions"} - ({*one} & {*other})
    first, second = ({k: v for k, v in side.items() if k not in shared} for side in (one, other))
    if shared:
        for side in (first, second):
            side |= {"sans": tuple(sorted(map(bare, side["sans"])))} if "sans" in side else {}
    return first, second
