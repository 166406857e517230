"""Secrets are taken out of everything that goes into an archive, in two ways.

What the cluster's folder has (keys, passwords, the pull secret) is known, and replaced wherever it is found. What has
the form of a secret is replaced too: logs may hold those of others. More is hidden than has to be: a long line of
base64 is a key or a certificate, and nobody reads either in a log. So are bytes as numbers, longer than any digest.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote_from_bytes

from hardway.checks.files.shapes import from_base64, mapping, parse_json, text
from hardway.checks.log.secrets import HIDDEN, without_secrets
from hardway.io import links
from hardway.model.cluster import Cluster
from hardway.model.own.document import SECRET, Own

LEAST = 8
"""Characters of a password that is searched for alone: a shorter one is part of ordinary words."""
MARK = HIDDEN.encode()
_BLOCK = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_LONG = re.compile(rb"[A-Za-z0-9+/_=%-]{100,}")
_RUN = re.compile(rb"[A-Za-z0-9+/]{28,}={0,2}")
LONG_ENOUGH = 40
"""Characters of what is hidden for its look alone."""
_HEX = re.compile(rb"[0-9a-fA-F]{0,128}")
_BYTES = re.compile(
    rb"\b(?:[0-9a-fA-F]{2}[: ]){40,}[0-9a-fA-F]{2}\b"  # a fingerprint has 32
    rb"|\b(?:[0-9a-fA-F]{2} ){15}[0-9a-fA-F]{2}\b|\b(?:[0-9a-fA-F]{4} ){7}[0-9a-fA-F]{4}\b"  # hexdump, xxd
    rb"|\b(?:\d{1,3}[, ]{1,2}){31,}\d{1,3}\b"  # as Go prints them, and JSON
)
_PEM_BODY = re.compile(rb"KEY-----\s+([A-Za-z0-9+/=\s]+)-----END")
_VALUES = re.compile(rb"^\s*(?:token|password):\s*(\S+)\s*$", re.MULTILINE)
PIECE, STRIDE = 20, 8
"""Characters of a private key by which it is known, wherever a line of it begins."""
FILES = ("tls", "auth", "ssh", "bootkube/tls")
"""Below assets: where secrets are files of their own."""


@dataclass(frozen=True, slots=True)
class Secrets:
    known: tuple[bytes, ...] = field(default=(), repr=False)
    pieces: frozenset[bytes] = field(default=frozenset(), repr=False)  # of private keys

    def without(self, content: bytes) -> bytes:
        for form in self.known:
            content = content.replace(form, MARK)
        content = _BLOCK.sub(MARK, content)
        content = _LONG.sub(_unless_hex, content)
        content = _RUN.sub(self._random, content)
        content = _BYTES.sub(MARK, content)
        return without_secrets(content.decode("utf-8", "replace")).encode()

    def _random(self, found: re.Match[bytes]) -> bytes:
        run = found[0]
        known = any(run[at : at + PIECE] in self.pieces for at in range(STRIDE + 1))
        return MARK if known or (len(run) >= LONG_ENOUGH and _looks_random(run)) else run


def _unless_hex(found: re.Match[bytes]) -> bytes:
    return found[0] if _HEX.fullmatch(found[0]) else MARK


def _looks_random(run: bytes) -> bool:
    """Words and paths have few capitals and digits, and digests have no capitals."""
    capitals, digits = (sum(low <= byte <= high for byte in run) for low, high in ((65, 90), (48, 57)))
    return capitals * 6 > len(run) and digits * 40 > len(run)


def forms(secret: bytes) -> Iterator[bytes]:
    """As it is, as the numbers of its bytes, quoted for a URL and for JSON, and in base64 at each of the three places
    in a group of characters."""
    yield secret
    yield from (number.encode() for number in (secret.hex(), secret.hex().upper(), secret.hex(":"), secret.hex(" ")))
    yield from (between.join(map(str, secret)).encode() for between in (" ", ",", ", "))
    yield quote_from_bytes(secret, safe="").encode()
    yield quote_from_bytes(secret).encode()
    yield json.dumps(secret.decode("utf-8", "replace"))[1:-1].encode()
    for before in range(3):
        encoded = b64encode(b"\0" * before + secret).rstrip(b"=")
        ragged = (len(secret) + before) % 3 != 0
        inner = encoded[(0, 2, 3)[before] : -1 if ragged else None]
        yield inner
        yield inner.replace(b"+", b"-").replace(b"/", b"_")


def cluster_secrets(assets: Path, cluster: Cluster) -> Secrets:
    """Those of a cluster's folder, and those that its user has written."""
    return secrets_of(assets, (cluster.pull_secret,), (value for own in cluster.own for value in _values(own)))


def _values(own: Own) -> Iterator[bytes]:
    """Of a Secret: as they are written, and what base64 of them says. Lines of a text are known one by one."""
    if own.type != SECRET:
        return
    for value in mapping(own.body, "data").values():
        yield from (str(value).encode(), *from_base64(str(value)).splitlines())
    for value in mapping(own.body, "stringData").values():
        yield from str(value).encode().splitlines()


def secrets_of(assets: Path, given: Iterable[str] = (), values: Iterable[bytes] = ()) -> Secrets:
    """Those of a cluster's folder. `given` are pull secrets, and `values` what else is secret."""
    files = list(_files(assets))
    pieces = {piece for content in files if b"PRIVATE KEY" in content for piece in _pieces(content)}
    alone = {content.strip() for content in files if b"\n" not in content.strip()}
    alone |= {value.strip(b"\"'") for content in files for value in _VALUES.findall(content)}
    alone |= {part for one in given for part in _pull_secret(one)}
    alone |= {value.strip() for value in values}
    twice = {one for secret in alone if len(secret) >= LEAST for one in (secret, b64encode(secret))}
    known = sorted({form for secret in twice for form in forms(secret)}, key=len, reverse=True)
    return Secrets(tuple(form for form in known if len(form) >= LEAST), frozenset(pieces))


def _pieces(key: bytes) -> Iterator[bytes]:
    """Of a private key's own lines, of its bytes and of the file in hexadecimal digits, and of the file in base64,
    wherever in a group of characters it begins. Lines are broken at any place, so a run of characters has one of these
    near its beginning."""
    bodies = [b"".join(body.split()) for body in _PEM_BODY.findall(key)]
    bodies += [content.hex().encode() for content in (key, *(from_base64(body.decode()) for body in bodies))]
    bodies += [b64encode(b"\0" * before + key)[4:] for before in range(3)]
    for body in bodies:
        yield from (body[at : at + PIECE] for at in range(0, len(body) - PIECE + 1, STRIDE))


def _files(assets: Path) -> Iterator[bytes]:
    """Public halves are no secrets, and are left out by their names."""
    for folder in FILES:
        for path in sorted((assets / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".crt", ".pub", ".pem") and path.name != "known_hosts":
                yield links.read(path, below=assets)


def _pull_secret(content: str) -> Iterator[bytes]:
    for entry in mapping(parse_json(content.encode()), "auths").values():
        auth = text(entry, "auth")
        decoded = from_base64(auth)
        yield from (auth.encode(), decoded, decoded.partition(b":")[2])
        yield from (text(entry, key).encode() for key in ("password", "identitytoken", "registrytoken"))
