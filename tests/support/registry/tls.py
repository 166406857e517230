"""A private authority, and certificates for registries on loopback."""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Authority:
    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self._certificate("private authority", self.key.public_key(), None, 1, authority=True)

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    def issue(self, name: str, days: int = 1) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
        """For a host name or an address; negative days: it ran out so long ago."""
        key = ec.generate_private_key(ec.SECP256R1())
        return self._certificate(name, key.public_key(), name, days, authority=False), key

    def tls(self, folder: Path, name: str = "127.0.0.1", days: int = 1) -> dict[str, Any]:
        """The configuration of a registry that serves with such a certificate."""
        certificate, key = self.issue(name, days)
        folder.mkdir(parents=True)
        (folder / "tls.crt").write_bytes(certificate.public_bytes(Encoding.PEM))
        (folder / "tls.key").write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
        )
        return {"http": {"tls": {"certificate": str(folder / "tls.crt"), "key": str(folder / "tls.key")}}}

    def _certificate(
        self, subject: str, key: ec.EllipticCurvePublicKey, name: str | None, days: int, *, authority: bool
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(_name(subject))
            .issuer_name(_name("private authority"))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=30))
            .not_valid_after(now + timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        )
        if name:
            builder = builder.add_extension(x509.SubjectAlternativeName([_general(name)]), critical=False)
        return builder.sign(self.key, hashes.SHA256())


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
