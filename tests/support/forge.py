"""Makes a certificate like another one, but wrong in one respect."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hardway.checks.files.artifacts import Artifacts
from hardway.pki.families import TABLE
from hardway.pki.private import load_private

SIGNERS = {row.name: row.signer for row in TABLE}


def signer_of(name: str) -> str:
    row = max((r for r in SIGNERS if name.startswith(r)), key=len)
    return SIGNERS[row] or name


def forge(
    world: Artifacts,
    name: str,
    *,
    signer: str = "",
    drop: tuple[type, ...] = (),
    add: tuple[tuple[Any, bool], ...] = (),
    subject: x509.Name | None = None,
    not_before: datetime | None = None,
    not_after: datetime | None = None,
    serial: int = 0,
    new_key: bool = False,
    chain: bool | None = None,
) -> None:
    """Reissue tls/NAME.crt with the given changes, really signed by its own (or the given) signer."""
    tls = world.root / "tls"
    old = x509.load_pem_x509_certificates((tls / f"{name}.crt").read_bytes())
    signer = signer or signer_of(name)
    if new_key:
        _write_key(tls / f"{name}.key")
    key = load_private((tls / f"{name}.key").read_bytes())
    own = signer == name
    issuer = (
        subject if own and subject else x509.load_pem_x509_certificate((tls / f"{signer}.crt").read_bytes()).subject
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject or old[0].subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(serial or old[0].serial_number)
        .not_valid_before(not_before or old[0].not_valid_before_utc)
        .not_valid_after(not_after or old[0].not_valid_after_utc)
    )
    for extension in old[0].extensions:
        if not isinstance(extension.value, drop):
            builder = builder.add_extension(extension.value, extension.critical)
    for value, critical in add:
        builder = builder.add_extension(value, critical)
    signing = load_private((tls / f"{signer}.key").read_bytes())
    made = builder.sign(signing, hashes.SHA256()).public_bytes(Encoding.PEM)
    behind = old[1:] if chain is None or chain else []
    (tls / f"{name}.crt").write_bytes(made + b"".join(c.public_bytes(Encoding.PEM) for c in behind))


def _write_key(path: Path) -> None:
    key = rsa.generate_private_key(65537, 2048)
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))
