"""What a request's PEM asks for, read by one strict grammar: what kubelets write, and nothing else.

The signer reads with Go's crypto/x509. Two readers of one lenient format can see different names in the same bytes, and
then the one that approves and the one that signs do not speak of the same certificate. So everything that could be read
in two ways is refused here, before any rule looks at it.
"""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key

from hardway.drive.csr import der
from hardway.drive.csr.der import Element, NotDer

BEGIN, END = b"-----BEGIN CERTIFICATE REQUEST-----\n", b"-----END CERTIFICATE REQUEST-----\n"
PEM = re.compile(BEGIN + rb"((?:[A-Za-z0-9+/]+\n)*[A-Za-z0-9+/]+={0,2}\n)" + END)
LONGEST = 32768  # bytes; a kubelet's has less than one thousand
COMMON_NAME, ORGANIZATION = "2.5.4.3", "2.5.4.10"
EXTENSION_REQUEST, ALTERNATIVE_NAMES = "1.2.840.113549.1.9.14", "2.5.29.17"
STRINGS = (0x0C, 0x13)  # UTF8String and PrintableString: what Go and OpenSSL write
PRINTABLE = re.compile(rb"[A-Za-z0-9 '()+,./:=?-]+")  # PrintableString's alphabet, which node names are in
ATTRIBUTES, DNS_NAME, ADDRESS = 0xA0, 0x82, 0x87
GENERAL_NAMES = (
    "otherName",
    "rfc822Name",
    "dNSName",
    "x400Address",
    "directoryName",
    "ediPartyName",
    "URI",
    "iPAddress",
)
ALGORITHMS = (  # with SHA-256, SHA-384 and SHA-512: those of ECDSA, and RSA's with their NULL
    *(bytes.fromhex(f"300a06082a8648ce3d04030{n}") for n in (2, 3, 4)),
    *(bytes.fromhex(f"300d06092a864886f70d01010{n}0500") for n in ("b", "c", "d")),
)
CURVES = ("secp256r1", "secp384r1", "secp521r1")
RSA_BITS, RSA_EXPONENT = range(2048, 8193), 65537


class Unsound(Exception):
    """Why the request is not one that a kubelet makes."""


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
class _Names:
    dns: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    others: tuple[str, ...] = ()


def read(encoded: str) -> Asked:
    """From the base64 of the API object."""
    try:
        return _request(_unpacked(encoded))
    except (NotDer, ValueError, TypeError, UnsupportedAlgorithm, x509.InvalidVersion):
        raise Unsound("it cannot be read") from None


def _unpacked(encoded: str) -> bytes:
    if len(encoded) > LONGEST:
        raise Unsound(f"it is longer than {LONGEST} bytes")
    match = PEM.fullmatch(b64decode(encoded, validate=True))
    if match is None:
        raise Unsound("it is not exactly one PEM block, without headers and without anything around it")
    return b64decode(match[1].replace(b"\n", b""), validate=True)


def _request(data: bytes) -> Asked:
    info, algorithm, signature = der.only(data).inside(der.SEQUENCE)
    version, subject, key, attributes = info.inside(der.SEQUENCE)
    if version.of(der.INTEGER) != b"\0":
        raise NotDer
    if algorithm.raw not in ALGORITHMS:
        raise Unsound("it is signed with an algorithm that no kubelet uses")
    if signature.of(der.BITS)[:1] != b"\0":
        raise NotDer
    if flaw := _weakness(key.raw):
        raise Unsound(flaw)
    parts = [_part(relative) for relative in subject.inside(der.SEQUENCE)]
    if COMMON_NAME in (kind for kind, _ in parts[:-1]):
        raise Unsound("its subject has more than the common name")
    extensions = _extensions(attributes)
    names = _names(extensions.pop(ALTERNATIVE_NAMES, None))
    if not x509.load_der_x509_csr(data).is_signature_valid:
        raise Unsound("its signature does not fit its key")
    return Asked(
        common_names=tuple(text for kind, text in parts if kind == COMMON_NAME),
        organizations=tuple(text for kind, text in parts if kind == ORGANIZATION),
        other_subject=tuple(_called(kind) for kind, _ in parts if kind not in (COMMON_NAME, ORGANIZATION)),
        dns_names=names.dns,
        addresses=names.addresses,
        other_names=names.others,
        other_extensions=tuple(_called(kind) for kind in extensions),
        key=sha256(key.raw).hexdigest(),
    )


def _part(relative: Element) -> tuple[str, str]:
    """One part of the subject: its kind and its text."""
    values = relative.inside(der.SET)
    if len(values) != 1:
        raise Unsound("a part of its subject has several values")
    kind, text = values[0].inside(der.SEQUENCE)
    if text.tag not in STRINGS or not PRINTABLE.fullmatch(text.content):
        raise Unsound("its subject has text in an encoding or with characters that no kubelet uses")
    return der.dotted(kind.of(der.OID)), text.content.decode("ascii")


def _extensions(attributes: Element) -> dict[str, tuple[bool, bytes]]:
    """By kind: whether it is marked as critical, and its value."""
    found = attributes.inside(ATTRIBUTES)
    if not found:
        return {}
    if len(found) > 1:
        raise Unsound(f"it has {len(found)} attributes; a kubelet's has one")
    kind, values = found[0].inside(der.SEQUENCE)
    if (called := der.dotted(kind.of(der.OID))) != EXTENSION_REQUEST:
        raise Unsound(f"its attribute is {called}; a kubelet's is {EXTENSION_REQUEST}, extensionRequest")
    lists = values.inside(der.SET)
    if len(lists) != 1:
        raise Unsound(f"its attribute has {len(lists)} values; a kubelet's has one")
    items = lists[0].inside(der.SEQUENCE)
    extensions = dict(_extension(item) for item in items)
    if len(extensions) != len(items):
        raise Unsound("it asks for one extension twice")
    return extensions


def _extension(item: Element) -> tuple[str, tuple[bool, bytes]]:
    kind, *flag, value = item.inside(der.SEQUENCE)
    if len(flag) > 1 or (flag and flag[0].of(der.BOOLEAN) != b"\xff"):
        raise NotDer
    return der.dotted(kind.of(der.OID)), (bool(flag), value.of(der.OCTETS))


def _names(extension: tuple[bool, bytes] | None) -> _Names:
    if extension is None:
        return _Names()
    critical, value = extension
    names = der.only(value).inside(der.SEQUENCE)
    if critical:
        raise Unsound("its alternative names are marked as critical")
    if len({name.raw for name in names}) != len(names):
        raise Unsound("it asks for one name twice")
    return _Names(
        dns=frozenset(_dns(name.content) for name in names if name.tag == DNS_NAME),
        addresses=frozenset(_address(name.content) for name in names if name.tag == ADDRESS),
        others=tuple(_general(name.tag) for name in names if name.tag not in (DNS_NAME, ADDRESS)),
    )


def _general(tag: int) -> str:
    number = tag & 0x1F
    return GENERAL_NAMES[number] if number < len(GENERAL_NAMES) else f"name of kind {number}"


def _dns(content: bytes) -> str:
    if not re.fullmatch(rb"[!-~]+", content):
        raise Unsound("a DNS name in it has characters that no DNS name has")
    return content.decode("ascii")


def _address(content: bytes) -> str:
    if len(content) not in (4, 16):
        raise Unsound(f"an address in it has {len(content)} bytes")
    address = ip_address(content)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        raise Unsound(f"an IPv4 address in it is written as the IPv6 address {address}")
    return str(address)


def _called(kind: str) -> str:
    name = str(getattr(x509.ObjectIdentifier(kind), "_name", ""))
    return kind if name in ("", "Unknown OID") else name


def _weakness(encoded: bytes) -> str:
    key = load_der_public_key(encoded)
    if isinstance(key, ec.EllipticCurvePublicKey):
        if key.curve.name not in CURVES:
            return f"its key is on the curve {key.curve.name}"
    elif isinstance(key, rsa.RSAPublicKey):
        if key.key_size not in RSA_BITS or key.public_numbers().e != RSA_EXPONENT:
            return f"its RSA key has {key.key_size} bits and the exponent {key.public_numbers().e}"
    else:
        return "its key is of a kind that no kubelet makes"
    usual = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return "" if usual == encoded else "its key is encoded in another way than kubelets do"
