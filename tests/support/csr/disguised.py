"""Serving requests that say one thing to a lenient reader and another to the signer, or that no kubelet would write."""

from __future__ import annotations

from hardway.model.cluster import Cluster, Node
from tests.support.csr.der import (
    ADDRESS,
    BMP,
    CHALLENGE,
    COMMON_NAME,
    CONSTRAINTS,
    DNS,
    ECDSA_SHA1,
    IA5,
    MAIL,
    MICROSOFT_EXTENSIONS,
    ORGANIZATION,
    PKCS9_EXTENSIONS,
    PRINTABLE,
    SEQUENCE,
    SET,
    TELETEX,
    UNIVERSAL,
    UNKNOWN,
    URI,
    UTF8,
    address,
    alternative,
    armoured,
    asks,
    attribute,
    dns,
    extension,
    name,
    node_name,
    oid,
    request,
    tlv,
)

TWO_READERS = "Microsoft's attribute has the node's names, PKCS#9's has the API server's"


def disguised(cluster: Cluster, node: Node) -> dict[str, bytes]:
    """By name: a PEM that pretends to be the node's serving request."""
    other = next(n for n in cluster.masters if n != node)
    own = alternative(dns(node.name), *(address(a) for a in node.addresses))
    stolen = alternative(
        *(dns(n) for n in (cluster.api_host, "kubernetes.default.svc", "localhost")), address("127.0.0.1")
    )
    subject, good = node_name(node.name), asks(own)
    user = f"system:node:{node.name}".encode()
    group = attribute(ORGANIZATION, b"system:nodes", PRINTABLE)
    both = tlv(SEQUENCE, oid(PKCS9_EXTENSIONS), tlv(SET, tlv(SEQUENCE, own), tlv(SEQUENCE, stolen)))
    constraints = extension(CONSTRAINTS, tlv(SEQUENCE, tlv(1, b"\xff")), b"\xff")

    def subjected(*sets: bytes | tuple[bytes, ...]) -> bytes:
        return armoured(request(name(*sets), [good]))

    def named(*names: bytes) -> bytes:
        return armoured(request(subject, [asks(alternative(*names))]))

    first = dns(node.name), *(address(a) for a in node.addresses)
    plain = request(subject, [good])
    return {
        TWO_READERS: armoured(request(subject, [asks(own, kind=MICROSOFT_EXTENSIONS), asks(stolen)])),
        "the same, the other way round": armoured(
            request(subject, [asks(stolen), asks(own, kind=MICROSOFT_EXTENSIONS)])
        ),
        "Microsoft's attribute alone": armoured(request(subject, [asks(own, kind=MICROSOFT_EXTENSIONS)])),
        "two attributes that ask for extensions": armoured(request(subject, [good, asks(stolen)])),
        "the same attribute twice": armoured(request(subject, [good, good])),
        "two values in one attribute": armoured(request(subject, [both])),
        "an attribute without a value": armoured(
            request(subject, [tlv(SEQUENCE, oid(PKCS9_EXTENSIONS), tlv(SET)), good])
        ),
        "a challenge password": armoured(
            request(subject, [tlv(SEQUENCE, oid(CHALLENGE), tlv(SET, tlv(UTF8, b"x"))), good])
        ),
        "a broken attribute before it": armoured(request(subject, [tlv(SEQUENCE, tlv(UTF8, b"x")), good])),
        "two alternative names": armoured(request(subject, [asks(own, stolen)])),
        "the same extension twice": armoured(request(subject, [asks(own, own)])),
        "alternative names marked as critical": armoured(
            request(subject, [asks(alternative(*first, critical=b"\xff"))])
        ),
        "a flag that DER does not write": armoured(request(subject, [asks(alternative(*first, critical=b"\0"))])),
        "a flag of another value": armoured(request(subject, [asks(alternative(*first, critical=b"\x01"))])),
        "a signer": armoured(request(subject, [asks(own, constraints)])),
        "a signer first": armoured(request(subject, [asks(constraints, own)])),
        "an unknown extension": armoured(request(subject, [asks(own, extension(UNKNOWN, b"\x05\0", b"\xff"))])),
        "something behind the names": armoured(
            request(subject, [asks(extension("2.5.29.17", tlv(SEQUENCE, *first) + b"\x05\0"))])
        ),
        "something behind the extensions": armoured(
            request(subject, [tlv(SEQUENCE, oid(PKCS9_EXTENSIONS), tlv(SET, tlv(SEQUENCE, own)), tlv(5))])
        ),
        "something behind the attributes": armoured(request(subject, [good], inner=tlv(0xA1))),
        "something behind the request": armoured(request(subject, [good], tail=b"\0")),
        "attributes before the key": armoured(request(subject + tlv(0xA0, good), field=tlv(0xA0))),
        "no field for attributes": armoured(request(subject, field=b"")),
        "a set in place of the field": armoured(request(subject, field=tlv(SET, good))),
        "a length that is longer than need be": armoured(request(subject, [tlv(SEQUENCE, good[2:], long=True)])),
        "another version": armoured(request(subject, [good], version=1)),
        "signed with SHA-1, it says": armoured(request(subject, [good], algorithm=ECDSA_SHA1)),
        "two names in one set": subjected((group, attribute(COMMON_NAME, user, PRINTABLE))),
        "two groups in one set": subjected(
            (group, attribute(ORGANIZATION, b"system:masters", PRINTABLE)), attribute(COMMON_NAME, user)
        ),
        "two common names": subjected(group, attribute(COMMON_NAME, user), attribute(COMMON_NAME, b"system:admin")),
        "the common name first": subjected(attribute(COMMON_NAME, user), group),
        "a BMP string": subjected(group, attribute(COMMON_NAME, user.decode().encode("utf-16-be"), BMP)),
        "a universal string": subjected(group, attribute(COMMON_NAME, user.decode().encode("utf-32-be"), UNIVERSAL)),
        "a teletex string": subjected(group, attribute(COMMON_NAME, user, TELETEX)),
        "an IA5 string": subjected(group, attribute(COMMON_NAME, user, IA5)),
        "a printable string that is not": subjected(group, attribute(COMMON_NAME, user + b"\0", PRINTABLE)),
        "a letter that looks the same": subjected(
            group, attribute(COMMON_NAME, user.decode().replace("s", "\u0455").encode())
        ),
        "letters that are wide": subjected(
            group, attribute(COMMON_NAME, user.decode().replace("o", "\uff4f").encode())
        ),
        "capital letters": subjected(group, attribute(COMMON_NAME, user.title())),
        "a space at the end": subjected(group, attribute(COMMON_NAME, user + b" ")),
        "a zero byte at the end": subjected(group, attribute(COMMON_NAME, user + b"\0")),
        "bytes that are no text": subjected(group, attribute(COMMON_NAME, user + b"\xff")),
        "capital letters in a name": named(dns(node.name.upper()), *first[1:]),
        "a dot at the end of a name": named(dns(f"{node.name}."), *first[1:]),
        "a name with a zero byte": named(dns(node.name.encode() + b"\0.example.com"), *first[1:]),
        "a name in UTF-8": named(dns(f"{node.name}\u0430"), *first[1:]),
        "an empty name": named(*first, dns("")),
        "a name twice": named(first[0], *first),
        "an address in IPv6's clothes": named(
            first[0], tlv(ADDRESS, bytes(10) + b"\xff\xff" + bytes(map(int, node.address.split("."))))
        ),
        "the address, and the same in IPv6's clothes": named(
            *first, tlv(ADDRESS, bytes(10) + b"\xff\xff" + bytes(map(int, node.address.split("."))))
        ),
        "an address as text": named(first[0], tlv(DNS, node.address.encode())),
        "an address of five bytes": named(*first, tlv(ADDRESS, b"\x0a\0\0\1\0")),
        "an address with a mask": named(first[0], tlv(ADDRESS, address(node.address)[2:] + b"\xff\xff\xff\0")),
        "an empty address": named(*first, tlv(ADDRESS)),
        "a URI": named(*first, tlv(URI, b"spiffe://cluster/ns/default")),
        "a mail address": named(*first, tlv(MAIL, b"root@example.com")),
        "another kind of name": named(*first, tlv(0xA0, oid(UNKNOWN), tlv(0xA0, tlv(UTF8, other.name.encode())))),
        "a directory name": named(*first, tlv(0xA4, node_name(other.name))),
        "a name in a constructed string": named(tlv(0xA2, tlv(IA5, node.name.encode())), *first[1:]),
        "no names at all": armoured(request(subject)),
        "two requests": armoured(plain) + armoured(request(node_name(other.name))),
        "a certificate before it": armoured(b"\x30\0", kind="CERTIFICATE") + armoured(plain),
        "words before it": b"hello\n" + armoured(plain),
        "words behind it": armoured(plain) + b"hello\n",
        "headers in the PEM": armoured(plain, headers="Proc-Type: 4,ENCRYPTED\n\n"),
        "the PEM's old label": armoured(plain, kind="NEW CERTIFICATE REQUEST"),
        "spaces in the PEM": armoured(plain).replace(b"\n-----END", b" \n-----END"),
    }
