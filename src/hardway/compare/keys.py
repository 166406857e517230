"""Keys and certificates of one config held against each other: each key is one, and fits what it is for."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

Fault = tuple[str, str, str]
"""Path, aspect, and what is wrong there whatever the other side has."""
NO_KEY = "no key"
_SIGNERS = re.compile(r"(signer|root-ca|aggregator-ca)\.crt\Z|signer\.yaml#data\.tls\.crt\Z")
_PARTNERS = ((".key", ".crt"), (".key", ".pub"), ("client-key-data", "client-certificate-data"))
_SPKI = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def is_key(pem: bytes) -> bool:
    return pem.startswith(b"-----BEGIN ") and b" KEY-----" in pem.partition(b"\n")[0]


def kind(pem: bytes) -> str:
    """Private or public, and of which algorithm and size."""
    public = _public(pem)
    return NO_KEY if public is None else f"{'private' if b'PRIVATE KEY' in pem else 'public'} {public_kind(public)}"


def public_kind(key: Any) -> str:
    if isinstance(key, rsa.RSAPublicKey):
        return f"rsa-{key.key_size}"
    return f"ecdsa-p{key.curve.key_size}" if isinstance(key, ec.EllipticCurvePublicKey) else type(key).__name__


def certificates(pem: bytes) -> list[x509.Certificate]:
    """Every certificate of a file; none if one of them cannot be read."""
    try:
        found = x509.load_pem_x509_certificates(pem)
        return [one for one in found if one.extensions is not None and one.public_key() is not None]
    except (ValueError, UnsupportedAlgorithm, x509.DuplicateExtension):
        return []


def faults(keys: Mapping[str, bytes], pems: Mapping[str, bytes]) -> Iterator[Fault]:
    """What is wrong with the keys and certificates of one config, whatever another has."""
    shown = {place: _shown(pem) for place, pem in {**pems, **keys}.items()}
    for place in sorted(keys):
        if shown[place] is None:
            yield _fault(place, "key", NO_KEY)
        for partner in _partners(place, shown):
            if shown[partner] not in (None, shown[place]):
                yield _fault(place, "key", f"not the key of {partner.rpartition('/')[2]}")
    yield from _signatures(pems)


def _fault(place: str, aspect: str, what: str) -> Fault:
    file, _, field = place.partition("#")
    return file, f"{field}: {aspect}" if field else aspect, what


def _partners(place: str, everything: Mapping[str, object]) -> Iterator[str]:
    for own, other in _PARTNERS:
        partner = place.removesuffix(own) + other
        if place.endswith(own) and partner in everything:
            yield partner


def _signatures(pems: Mapping[str, bytes]) -> Iterator[Fault]:
    read = {place: certificates(pem) for place, pem in pems.items()}
    authorities: dict[x509.Name, x509.Certificate] = {}
    for place in sorted(read, key=lambda place: (_SIGNERS.search(place) is None, place)):
        for certificate in read[place]:
            authorities.setdefault(certificate.subject, certificate)
    for place, several in sorted(read.items()):
        if not several:
            yield _fault(place, "certificate", "no certificate")
        for index, certificate in enumerate(several):
            authority = authorities.get(certificate.issuer)
            if authority and not _is_signed(certificate, authority):
                yield _fault(place, f"certificate[{index}].signed", f"not made by {authority.subject.rfc4514_string()}")


def _is_signed(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _shown(pem: bytes) -> bytes | None:
    """What a key or a certificate shows to others, in one form."""
    key = _public(pem)
    return key.public_bytes(*_SPKI) if key is not None else None


def _public(pem: bytes) -> Any:
    try:
        if b"-----BEGIN CERTIFICATE-----" in pem:
            return next(iter(c.public_key() for c in certificates(pem)), None)
        if b"PRIVATE KEY-----" in pem:
            return _of_private(pem)
        # Go writes this form under the other form's heading, so the heading says nothing
        return serialization.load_der_public_key(b64decode(b"".join(pem.splitlines()[1:-1])))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


def _of_private(pem: bytes) -> Any:
    """The library's own check looks for primes, which takes longer than everything else here together."""
    if b"OPENSSH PRIVATE KEY" in pem:
        return serialization.load_ssh_private_key(pem, None).public_key()
    key = serialization.load_pem_private_key(pem, None, unsafe_skip_rsa_key_validation=True)
    if isinstance(key, rsa.RSAPrivateKey):
        said = key.private_numbers()
        turn = said.d * said.public_numbers.e - 1
        if said.p * said.q != said.public_numbers.n or turn % (said.p - 1) or turn % (said.q - 1):
            return None
    return key.public_key()
