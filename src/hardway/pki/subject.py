"""The subject of a certificate as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from cryptography import x509
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    common_name: str
    organizations: frozenset[str]
    units: frozenset[str]


def subject_of(cert: x509.Certificate) -> Subject:
    name = cert.subject
    common = _values(name, NameOID.COMMON_NAME)
    return Subject(
        common_name=next(iter(common), ""),
        organizations=frozenset(_values(name, NameOID.ORGANIZATION_NAME)),
        units=frozenset(_values(name, NameOID.ORGANIZATIONAL_UNIT_NAME)),
    )


def _values(name: x509.Name, oid: x509.ObjectIdentifier) -> list[str]:
    return [str(attribute.value) for attribute in name.get_attributes_for_oid(oid)]
