"""Private keys as PEM, and their public halves. Knows no certificates, so that it is quickly imported."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

if TYPE_CHECKING:
    from hardway.model.entropy import PrivateKey


def private_pem(key: PrivateKey) -> bytes:
    """PKCS#1 for RSA, as the installer writes it; SEC1 for elliptic curves."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


@lru_cache(maxsize=64)
def load_private(pem: bytes) -> PrivateKey:
    key = load_pem_private_key(pem, None, unsafe_skip_rsa_key_validation=True)
    if not isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        raise TypeError("neither an RSA nor an elliptic-curve key")
    return key


def public_pem(private: bytes) -> bytes:
    """The public half with the label and the bytes that OpenShift's components write: the two do not match."""
    pem = load_private(private).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return pem.replace(b" PUBLIC KEY", b" RSA PUBLIC KEY")


def public_ssh(private: bytes) -> bytes:
    return load_private(private).public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH) + b"\n"
