"""Looking for the secrets of a built tree in a text, in every form that they may have there."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import quote

from tests.support.trees import built

WINDOW, SHORTEST = 24, 16
"""Characters of a secret in a row: none of them may be seen. The last ones of a line are fewer."""


@cache
def secrets() -> dict[str, bytes]:
    """Every private key, password and hash of the default tree, and the pull secret's parts."""
    root = built().store.root
    hosts = [path for path in root.glob("ssh/hosts/*/*") if path.suffix != ".pub"]
    passwords = [root / "auth/kubeadmin-password", root / "auth/kubeadmin-password.bcrypt"]
    files = [*root.glob("tls/*.key"), *hosts, *passwords, root / "ssh/login"]
    found = {str(path.relative_to(root)): path.read_bytes() for path in files if path.exists()}
    auths = json.loads(built().loaded.cluster.pull_secret)["auths"]
    found |= {f"pull secret {host}": entry["auth"].encode() for host, entry in auths.items()}
    assert len(found) > 30
    return found


def forms(secret: bytes) -> Iterator[str]:
    """As a log, an object or an Ignition file might have it."""
    plain = b64encode(secret).decode()
    yield secret.decode()
    yield json.dumps(secret.decode())
    yield plain
    yield urlsafe_b64encode(secret).decode()
    yield b64encode(plain.encode()).decode()
    yield f"data:text/plain;charset=utf-8;base64,{plain}"
    yield f"data:,{quote(secret)}"
    yield b64encode(b'{"key": "' + secret).decode()
    yield b64encode(b"a: " + secret).decode()
    yield b64encode(gzip.compress(secret, mtime=0)).decode()
    yield secret.hex()
    yield secret.hex().upper()
    yield secret.hex(":")
    yield secret.hex(" ")
    yield " ".join(map(str, secret))
    yield json.dumps(list(secret))
    yield wrapped(plain, 76)
    yield wrapped(plain, 60)


def wrapped(text: str, width: int) -> str:
    """As `base64 -w` breaks it, each line behind the journal's own words. A last line that is short is left out: it
    comes from the words that end every key."""
    lines = [text[at : at + width] for at in range(0, len(text), width)]
    return "\nNov 16 x[7]: ".join(line for line in lines if len(line) >= 28 or len(text) < width)


def windows(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from (line[at : at + WINDOW] for at in range(0, len(line), WINDOW))


@cache
def parts(secret: bytes) -> tuple[str, ...]:
    """What none may see, of every form of it."""
    if "PRIVATE KEY" in secret.decode():
        body = [form for form in forms(secret) if "BEGIN" not in form] + secret.decode().splitlines()[1:-1]
    else:
        body = list(forms(secret.strip()))
    return tuple(part for form in body for part in windows(form) if len(part) >= SHORTEST and "data:" not in part)


def leaks(content: str, hidden: Mapping[str, bytes]) -> list[str]:
    """The name of a secret, for every part of it that is in the text.

    The text is read once for the beginnings of all parts: there are some ten thousand.
    """
    heads = {part[:SHORTEST] for secret in hidden.values() for part in parts(secret)}
    seen = heads.intersection(content[at : at + SHORTEST] for at in range(len(content)))
    known = [(name, part) for name, secret in hidden.items() for part in parts(secret) if part[:SHORTEST] in seen]
    return [name for name, part in known if part in content]
