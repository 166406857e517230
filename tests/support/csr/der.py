"""DER written by hand: what no library would write can be written here."""

from __future__ import annotations

from base64 import encodebytes
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

COMMON_NAME, ORGANIZATION, UNIT = "2.5.4.3", "2.5.4.10", "2.5.4.11"
PKCS9_EXTENSIONS = "1.2.840.113549.1.9.14"
MICROSOFT_EXTENSIONS = "1.3.6.1.4.1.311.2.1.14"
CHALLENGE = "1.2.840.113549.1.9.7"
ALTERNATIVE, CONSTRAINTS, UNKNOWN = "2.5.29.17", "2.5.29.19", "1.3.6.1.4.1.99999.1"
ECDSA_SHA256, ECDSA_SHA1 = "1.2.840.10045.4.3.2", "1.2.840.10045.4.1"

SEQUENCE, SET, OCTETS, BITS, INTEGER, BOOLEAN, ATTRIBUTES = 0x30, 0x31, 0x04, 0x03, 0x02, 0x01, 0xA0
UTF8, PRINTABLE, TELETEX, IA5, UNIVERSAL, BMP = 0x0C, 0x13, 0x14, 0x16, 0x1C, 0x1E
OTHER_NAME, MAIL, DNS, DIRECTORY, URI, ADDRESS = 0xA0, 0x81, 0x82, 0xA4, 0x86, 0x87


def tlv(tag: int, *parts: bytes, long: bool = False) -> bytes:
    """`long`: the length in one byte more than it needs, which DER forbids."""
    content = b"".join(parts)
    size = len(content).to_bytes((len(content).bit_length() + 7) // 8 or 1)
    if long:
        size = b"\0" * (len(content) > 127) + size
        return bytes([tag, 0x80 | len(size)]) + size + content
    return bytes([tag]) + (size if len(content) < 128 else bytes([0x80 | len(size)]) + size) + content


def oid(dotted: str) -> bytes:
    first, second, *arcs = (int(part) for part in dotted.split("."))
    return tlv(0x06, b"".join(_arc(arc) for arc in (40 * first + second, *arcs)))


def _arc(value: int) -> bytes:
    septets = [value & 0x7F]
    while value := value >> 7:
        septets.append(0x80 | (value & 0x7F))
    return bytes(reversed(septets))


def attribute(kind: str, text: bytes, tag: int = UTF8) -> bytes:
    """One type and value of a name."""
    return tlv(SEQUENCE, oid(kind), tlv(tag, text))


def name(*sets: bytes | tuple[bytes, ...]) -> bytes:
    """Each argument is one set; a tuple is a set with several values."""
    return tlv(SEQUENCE, *(tlv(SET, *(part if isinstance(part, tuple) else (part,))) for part in sets))


def node_name(node: str, tag: int = PRINTABLE) -> bytes:
    """The subject of a node's request."""
    user = f"system:node:{node}".encode()
    return name(attribute(ORGANIZATION, b"system:nodes", tag), attribute(COMMON_NAME, user, tag))


def dns(text: str | bytes) -> bytes:
    return tlv(DNS, text.encode() if isinstance(text, str) else text)


def address(text: str) -> bytes:
    return tlv(ADDRESS, ip_address(text).packed)


def extension(kind: str, value: bytes, critical: bytes | None = None) -> bytes:
    flag = b"" if critical is None else tlv(BOOLEAN, critical)
    return tlv(SEQUENCE, oid(kind), flag, tlv(OCTETS, value))


def alternative(*names: bytes, critical: bytes | None = None) -> bytes:
    return extension(ALTERNATIVE, tlv(SEQUENCE, *names), critical)


def asks(*extensions: bytes, kind: str = PKCS9_EXTENSIONS) -> bytes:
    """The attribute that asks for extensions."""
    return tlv(SEQUENCE, oid(kind), tlv(SET, tlv(SEQUENCE, *extensions)))


def request(
    subject: bytes,
    attributes: Sequence[bytes] = (),
    *,
    key: Any = None,
    version: int = 0,
    algorithm: str = ECDSA_SHA256,
    field: bytes | None = None,
    tail: bytes = b"",
    inner: bytes = b"",
    change: Callable[[bytes], bytes] = bytes,
) -> bytes:
    """A signed request. `field`: all of the attributes' field; `inner`, `tail`: what follows inside and outside;
    `change`: what becomes of the content before it is signed."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    held = tlv(ATTRIBUTES, *attributes) if field is None else field
    info = change(tlv(SEQUENCE, tlv(INTEGER, bytes([version])), subject, public, held, inner))
    signature = key.sign(info, ec.ECDSA(SHA256()))
    return tlv(SEQUENCE, info, tlv(SEQUENCE, oid(algorithm)), tlv(BITS, b"\0", signature)) + tail


def armoured(der: bytes, *, kind: str = "CERTIFICATE REQUEST", headers: str = "") -> bytes:
    return f"-----BEGIN {kind}-----\n{headers}".encode() + encodebytes(der) + f"-----END {kind}-----\n".encode()
