"""An OpenPGP message that holds what it signs: Debian's gpgv says who signed it, and hands out the content."""

from __future__ import annotations

import base64
import binascii
import re
import resource
import signal
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hardway.model.errors import ConfigError
from hardway.tools.run import attempt

_BLOCK = re.compile(rb"-----BEGIN PGP PUBLIC KEY BLOCK-----(.*?)-----END PGP PUBLIC KEY BLOCK-----", re.DOTALL)
_CAUSES = {
    "BADSIG": "it was changed after it was signed",
    "EXPSIG": "the signature has expired",
    "EXPKEYSIG": "it is signed by a key that has expired",
    "REVKEYSIG": "it is signed by a key that was revoked",
    "NO_PUBKEY": "it is signed by another key",
    "NODATA": "it is not an OpenPGP signature",
}

LARGEST = 1 << 20
"""Bytes of what a message signs. An honest one has some hundred; a compressed one of 50 KB can unpack to gigabytes."""
MOST_SECONDS = 20  # of the processor's time
_LIMITS = {resource.RLIMIT_FSIZE: LARGEST, resource.RLIMIT_CPU: MOST_SECONDS}
_BEYOND: dict[int, str] = {
    signal.SIGXFSZ: f"what it signs is larger than {LARGEST >> 20} MiB",
    signal.SIGXCPU: f"gpgv needs more than {MOST_SECONDS} s for it",
    signal.SIGKILL: f"gpgv needs more than {MOST_SECONDS} s for it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """What a message says, and whose it is."""

    content: bytes = field(repr=False)
    key: str  # fingerprint of the key that signed
    signer: str  # what the key says of its owner


class BadSignature(Exception):
    """Why a message is not believed."""


def keyring(content: bytes, file: str) -> bytes:
    """The public keys of a file, armored or binary, in the form that gpgv reads."""
    if b"PRIVATE KEY BLOCK" in content:
        raise ConfigError(f"{file}: holds a private key.\n    fix: give the public key; keep this one to yourself")
    blocks = _BLOCK.findall(content)
    try:
        keys = b"".join(base64.b64decode(_body(block)) for block in blocks) if blocks else content
    except binascii.Error:
        keys = b""
    if not keys or not _is_public_key(keys[0]):
        raise ConfigError(
            f"{file}: not an OpenPGP public key.\n    fix: give the key as it was published (.asc or .gpg)"
        )
    return keys


def _body(block: bytes) -> bytes:
    """Without the headers, which have a colon, and the checksum, which begins with an equals sign."""
    return b"".join(line for line in block.splitlines() if b":" not in line and not line.startswith(b"="))


def _is_public_key(head: int) -> bool:
    """The first packet's tag: 6 is a public key. The old form has it in four bits, the new one in six."""
    return bool(head & 0x80) and (head & 0x3F if head & 0x40 else head >> 2 & 0x0F) == 6


def opened(message: bytes, keys: bytes) -> Signed:
    """The content of a message that one of the keys has signed; BadSignature says why not."""
    with TemporaryDirectory(prefix="hardway-signature-") as scratch:
        folder = Path(scratch)
        ring, signed, content = folder / "keyring.gpg", folder / "message", folder / "content"
        ring.write_bytes(keys)
        signed.write_bytes(message)
        options = ["--homedir", scratch, "--status-fd", "1", "--keyring", str(ring), "--output", str(content)]
        done = attempt(["gpgv", *options, str(signed)], limits=_LIMITS)
        if -done.code in _BEYOND:
            raise BadSignature(_BEYOND[-done.code])
        said = [words for line in done.output.splitlines() if (words := line.split())[:1] == ["[GNUPG:]"]]
        status = {words[1]: words[2:] for words in said if len(words) > 1}
        for name, cause in _CAUSES.items():
            if name in status:
                raise BadSignature(f"{cause} ({status[name][0]})" if name != "NODATA" and status[name] else cause)
        if not done.ok or not {"GOODSIG", "VALIDSIG"} <= status.keys() or not content.exists():
            raise BadSignature("gpgv does not accept it")
        return Signed(content=content.read_bytes(), key=status["VALIDSIG"][0], signer=" ".join(status["GOODSIG"][1:]))
