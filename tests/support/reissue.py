"""The same certificate once more, with one thing about it changed, signed by somebody else."""

from __future__ import annotations

from ipaddress import IPv4Address
from warnings import catch_warnings, simplefilter

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding

NAMES = x509.SubjectAlternativeName
DIGESTS: dict[str, hashes.SHA256 | hashes.SHA512] = {"sha256": hashes.SHA256(), "sha512": hashes.SHA512()}


def reissued(
    pem: bytes, *, drop: str = "", as_dns: str = "", constraints: bool = True, digest: str = "sha256"
) -> bytes:
    """The first certificate of a chain changed, the others as they are."""
    with catch_warnings():
        simplefilter("ignore")
        first, *others = x509.load_pem_x509_certificates(pem)
        builder = _copy(first)
        for extension in first.extensions:
            if isinstance(extension.value, NAMES):
                names = [_changed(name, as_dns) for name in extension.value if str(name.value) != drop]
                builder = builder.add_extension(NAMES(names), extension.critical)
            elif constraints or not isinstance(extension.value, x509.BasicConstraints):
                builder = builder.add_extension(extension.value, extension.critical)
        signer = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        made = builder.sign(signer, DIGESTS[digest])
    return b"".join(certificate.public_bytes(Encoding.PEM) for certificate in (made, *others))


def _copy(certificate: x509.Certificate) -> x509.CertificateBuilder:
    return x509.CertificateBuilder(
        issuer_name=certificate.issuer,
        subject_name=certificate.subject,
        public_key=certificate.public_key(),
        serial_number=certificate.serial_number,
        not_valid_before=certificate.not_valid_before_utc,
        not_valid_after=certificate.not_valid_after_utc,
    )


def _changed(name: x509.GeneralName, as_dns: str) -> x509.GeneralName:
    is_it = isinstance(name.value, IPv4Address) and str(name.value) == as_dns
    return x509.DNSName(as_dns) if is_it else name
