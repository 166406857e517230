"""Reading what may be damaged: whatever is not there, or is of another type, reads as nothing."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cryptography.x509 import Certificate


def at(document: Any, *path: str) -> Any:
    """The value at a place, or None."""
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def mapping(document: Any, *path: str) -> dict[str, Any]:
    found = at(document, *path)
    return found if isinstance(found, dict) else {}


def mappings(document: Any, *path: str) -> list[dict[str, Any]]:
    """The objects of a list; what else is in it is left out."""
    found = at(document, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def strings(document: Any, *path: str) -> list[str]:
    found = at(document, *path)
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []


def text(document: Any, *path: str) -> str:
    found = at(document, *path)
    return found if isinstance(found, str) else ""


def is_list_of_mappings(value: Any) -> bool:
    """Nothing at all counts as an empty list, as it does for Go."""
    return value is None or (isinstance(value, list) and all(isinstance(item, dict) for item in value))


def from_base64(value: Any) -> bytes:
    """As Go reads it: line ends may be in it, and nothing else that does not belong there."""
    try:
        return b64decode("".join(value.split()), validate=True) if isinstance(value, str) else b""
    except ValueError:
        return b""


def parse_yaml(content: bytes) -> Any:
    """A YAML or JSON document; None if it is none."""
    from hardway.model import yaml

    try:
        return yaml.load(content)
    except yaml.YamlError:
        return None


def parse_json(content: bytes) -> Any:
    """None if it is none, or beyond the bounds."""
    from hardway.model import json

    try:
        return json.load(content)
    except ValueError:
        return None


def certificates(pem: bytes) -> list[Certificate]:
    """All certificates of a text; none if one of them cannot be read to its end."""
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        found = x509.load_pem_x509_certificates(pem)
        for cert in found:  # these are parsed only when somebody asks for them
            _ = (cert.subject, cert.issuer, cert.extensions, cert.signature_hash_algorithm)
            _ = (cert.not_valid_before_utc, cert.not_valid_after_utc, public_bytes(cert.public_key()))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return []
    return found


def public_bytes(key: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    found: bytes = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return found


def public_half(private_pem: bytes) -> bytes | None:
    """The public key of a private one; None if it cannot be read."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        return public_bytes(load_pem_private_key(private_pem, None, unsafe_skip_rsa_key_validation=True).public_key())
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


def ssh_public_half(private: bytes) -> str | None:
    """The public key of a private one, as ssh writes it; None if it cannot be read."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        PublicFormat,
        load_pem_private_key,
        load_ssh_private_key,
    )

    try:
        if b"OPENSSH" in private[:40]:
            key: Any = load_ssh_private_key(private, None)
        else:  # an RSA key's primes are not tested: only its public half is asked for
            key = load_pem_private_key(private, None, unsafe_skip_rsa_key_validation=True)
        found: bytes = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
        return found.decode()
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


def public_key(pem: bytes) -> bytes | None:
    """A public key, also one with the older label of RSA keys."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        return public_bytes(load_pem_public_key(pem.replace(b" RSA PUBLIC", b" PUBLIC")))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
