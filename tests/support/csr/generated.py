"""Certificate requests by the thousand, most of them with something odd in them, all of them signed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from hardway.model.cluster import Cluster, Node
from tests.support.csr import der

TAGS = (der.UTF8, der.PRINTABLE, der.TELETEX, der.IA5, der.UNIVERSAL, der.BMP, 0x12, 0x1A)
KINDS = (der.PKCS9_EXTENSIONS, der.MICROSOFT_EXTENSIONS, der.CHALLENGE, "1.2.840.113549.1.9.2")
ODD_CHANCE = 0.35  # of each part
USAGES = ("digital signature", "key encipherment", "client auth", "server auth", "cert sign", "any")


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    node: Node
    serving: bool
    pem: bytes
    usages: tuple[str, ...]


def generated(cluster: Cluster, count: int, seed: int) -> Iterator[Generated]:
    random = Random(seed)
    keys = [ec.generate_private_key(curve) for curve in (ec.SECP256R1(), ec.SECP256R1(), ec.SECP384R1())]
    for _ in range(count):
        yield _one(cluster, random, random.choice(keys))


def _odd(random: Random) -> bool:
    return random.random() < ODD_CHANCE


def _one(cluster: Cluster, random: Random, key: Any) -> Generated:
    nodes = (*cluster.masters, *cluster.workers)
    node, serving = random.choice(nodes), random.random() < 0.7
    extensions = [_alternative(cluster, node, random)] if serving or random.random() < 0.1 else []
    attributes = _attributes(extensions, random) if _odd(random) else [der.asks(*extensions)] if extensions else []
    content = der.request(
        _subject(node, random) if _odd(random) else der.node_name(node.name, random.choice(TAGS[:2])),
        attributes,
        key=key,
        version=random.choice((0, 0, 0, 1, 2)) if _odd(random) else 0,
        tail=random.choice((b"", b"", b"\0", b"\x05\0")) if _odd(random) else b"",
        inner=random.choice((b"", b"", b"\x05\0", b"\xa1\0")) if _odd(random) else b"",
        change=partial(_changed, random) if random.random() < 0.15 else bytes,
    )
    return Generated(node=node, serving=serving, pem=_armoured(content, random), usages=_usages(serving, random))


def _text(text: str, random: Random) -> tuple[bytes, int]:
    """In one of the encodings that a string can have, right or wrong."""
    tag = random.choice(TAGS)
    coding = {der.BMP: "utf-16-be", der.UNIVERSAL: "utf-32-be"}.get(tag, "utf-8")
    return text.encode("utf-8" if random.random() < 0.2 else coding), tag


def _varied(text: str, random: Random) -> str:
    """The same, or something that looks like it."""
    forms = (
        text,
        text,
        text.upper(),
        text.title(),
        text.replace("a", "\u0430"),
        text.replace("m", "\uff4d"),
        text.replace("-", "\u2010"),
        text.replace("s", "\u017f"),
        f"{text} ",
        f" {text}",
        f"{text}.",
        f"{text}\0",
        f"{text}\u200b",
        f"{text},O=system:masters",
        text.replace("0", "\u0660"),
    )
    return random.choice(forms)


def _subject(node: Node, random: Random) -> bytes:
    group = random.choice(("system:nodes", "system:nodes", "system:nodes", "system:masters", "System:Nodes", ""))
    user = _varied(f"system:node:{node.name}", random)
    parts = [
        der.attribute(der.ORGANIZATION, *_text(group, random)),
        der.attribute(der.COMMON_NAME, *_text(user, random)),
    ]
    if random.random() < 0.3:
        kind = random.choice((der.ORGANIZATION, der.COMMON_NAME, der.UNIT, der.UNKNOWN))
        parts.insert(random.randrange(3), der.attribute(kind, *_text(random.choice((group, user, "x")), random)))
    if random.random() < 0.2:
        random.shuffle(parts)
    return der.name(tuple(parts)) if random.random() < 0.2 else der.name(*parts)


def _alternative(cluster: Cluster, node: Node, random: Random) -> bytes:
    names = [der.dns(node.name), *(der.address(a) for a in node.addresses)]
    if not _odd(random):
        return der.alternative(*names)
    mapped = bytes(10) + b"\xff\xff" + der.address(node.address)[2:]
    more = (
        der.dns(_varied(node.name, random)),
        der.dns(cluster.api_host),
        der.dns("*"),
        der.dns(""),
        der.address(cluster.api_vips[0]),
        der.address("::1"),
        der.tlv(der.ADDRESS, mapped),
        der.tlv(der.ADDRESS, random.randbytes(random.randrange(20))),
        der.tlv(der.MAIL, b"root@example.com"),
        der.tlv(der.URI, random.choice((b"spiffe://a/b", b"::", b"https://[::1"))),
        der.tlv(der.DIRECTORY, der.node_name(node.name)),
        der.tlv(0xA2, der.tlv(der.IA5, node.name.encode())),
        der.tlv(0xA7, der.address(node.address)),
        der.tlv(0x88, b"\x2a\x03"),
        names[0],
    )
    for name in random.sample(more, random.randrange(3)):
        names.insert(random.randrange(len(names) + 1), name)
    if random.random() < 0.2:
        random.shuffle(names)
    if random.random() < 0.2:
        names.pop(random.randrange(len(names)))
    critical = random.choice((None, None, None, b"\xff", b"\0", b"\x01", b""))
    value = der.tlv(der.SEQUENCE, *names) + random.choice((b"", b"", b"", b"\x05\0", b"\0"))
    return der.extension(der.ALTERNATIVE, value, critical)


def _attributes(extensions: list[bytes], random: Random) -> list[bytes]:
    more = [*extensions, *extensions]
    more += [der.extension(random.choice((der.CONSTRAINTS, der.UNKNOWN, "2.5.29.15")), b"\x30\0", b"\xff")]
    lists = [random.sample(more, random.randrange(len(more) + 1)) if _odd(random) else extensions for _ in range(3)]
    held = []
    for chosen in lists[: random.choice((1, 1, 2, 3))]:
        values = [der.tlv(der.SEQUENCE, *chosen)] * random.choice((1, 1, 1, 0, 2))
        kind = random.choice((KINDS[0], KINDS[0], *KINDS))
        held.append(der.tlv(der.SEQUENCE, der.oid(kind), der.tlv(der.SET, *values), long=random.random() < 0.05))
    return held


def _changed(random: Random, content: bytes) -> bytes:
    """One byte somewhere, anew."""
    where = random.randrange(len(content))
    return content[:where] + random.randbytes(1) + content[where + 1 :]


def _armoured(content: bytes, random: Random) -> bytes:
    if random.random() > 0.1:
        return der.armoured(content)
    plain = der.armoured(content)
    forms = (
        plain + plain,
        b"words\n" + plain,
        plain + b"words\n",
        plain.replace(b"\n", b"\r\n"),
        plain.replace(b"\n", b" \n"),
        plain[:-1],
        b"\n" + plain,
        der.armoured(content, headers="Note: x\n\n"),
        der.armoured(content, kind="NEW CERTIFICATE REQUEST"),
        der.armoured(content, kind="CERTIFICATE"),
        plain.replace(b"=", b""),
    )
    return random.choice(forms)


def _usages(serving: bool, random: Random) -> tuple[str, ...]:
    if random.random() < 0.9:
        more = ("key encipherment",) if random.random() < 0.3 else ()
        return ("digital signature", *more, "server auth" if serving else "client auth")
    return tuple(random.sample(USAGES, random.randrange(1, 5)))
