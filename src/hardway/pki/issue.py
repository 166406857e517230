"""Issues what a row says. Knows X.509, and nothing of OpenShift."""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from hardway.pki.private import load_private
from hardway.pki.spec import Spec

BACKDATE = timedelta(hours=1)
_USAGES = {"server": ExtendedKeyUsageOID.SERVER_AUTH, "client": ExtendedKeyUsageOID.CLIENT_AUTH}


def issue(
    spec: Spec, *, key: bytes, signer_key: bytes | None, signer_cert: bytes | None, now: datetime, serial: int
) -> bytes:
    """A certificate as PEM; self-signed without a signer, and with the signer's behind it if the row says chain."""
    private = load_private(key)
    signer = x509.load_pem_x509_certificate(signer_cert) if signer_cert else None
    subject = _subject(spec)
    not_after = now + timedelta(hours=spec.hours)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(signer.subject if signer else subject)
        .public_key(private.public_key())
        .serial_number(serial)
        .not_valid_before(signer.not_valid_before_utc if signer else now - BACKDATE)
        .not_valid_after(min(not_after, signer.not_valid_after_utc) if signer else not_after)
        .add_extension(x509.BasicConstraints(ca=spec.ca, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(private.public_key()), critical=False)
    )
    builder = _extensions(builder, spec, signer, isinstance(private, rsa.RSAPrivateKey))
    signing = load_private(signer_key) if signer_key else private
    deterministic = True if isinstance(signing, ec.EllipticCurvePrivateKey) else None
    pem = builder.sign(signing, hashes.SHA256(), ecdsa_deterministic=deterministic).public_bytes(Encoding.PEM)
    return pem + b"\n" + signer_cert if spec.chain and signer_cert else pem


def _extensions(
    builder: x509.CertificateBuilder, spec: Spec, signer: x509.Certificate | None, is_rsa: bool
) -> x509.CertificateBuilder:
    if signer:
        identifier = signer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
        authority = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
        builder = builder.add_extension(authority, critical=False)
    if spec.key_usage:
        builder = builder.add_extension(_key_usage(spec.ca, is_rsa), critical=True)
    if spec.usages:
        builder = builder.add_extension(x509.ExtendedKeyUsage([_USAGES[u] for u in spec.usages]), critical=False)
    names: list[x509.GeneralName] = [x509.DNSName(n) for n in spec.dns_names]
    names += [x509.IPAddress(ipaddress.ip_address(a)) for a in spec.addresses]
    return builder.add_extension(x509.SubjectAlternativeName(names), critical=False) if names else builder


def _key_usage(ca: bool, is_rsa: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        key_encipherment=is_rsa,  # only RSA keys can encipher a key
        key_cert_sign=ca,
        content_commitment=False,
        data_encipherment=False,
        key_agreement=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )


def _subject(spec: Spec) -> x509.Name:
    """Organisations first and in one set, as Go orders them; a name over X.509's 64 characters is written as it is."""
    parts = []
    if spec.organizations:
        organizations = sorted(spec.organizations, key=lambda o: (len(o), o))
        parts.append([x509.NameAttribute(NameOID.ORGANIZATION_NAME, o, _validate=False) for o in organizations])
    if spec.unit:
        parts.append([x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, spec.unit)])
    parts.append([x509.NameAttribute(NameOID.COMMON_NAME, spec.common_name, _validate=False)])
    return x509.Name([x509.RelativeDistinguishedName(p) for p in parts])
