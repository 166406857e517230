"""A fixed entropy: time stands still, and every random value follows from its label.

The same label gives the same key in every tree of a test run, so each prime is looked for only once. A build makes its
keys in forked children: what one of them has found the others read from a folder, and so do other workers.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256, shake_256
from typing import TYPE_CHECKING

import gmpy2
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from hardway.model.entropy import KeyKind
from tests.support.scratch import SCRATCH

if TYPE_CHECKING:
    from hardway.model.entropy import PrivateKey

NOW = datetime(2025, 6, 1, 12, 0, 0, tzinfo=UTC)
EXPONENT = 65537
_FOUND = SCRATCH / "primes"
_FOUND.mkdir(exist_ok=True)


class FixedEntropy:
    def __init__(self, seed: str = "hardway", now: datetime = NOW) -> None:
        self._seed = seed
        self._now = now

    def now(self) -> datetime:
        return self._now

    def random(self, label: str, count: int) -> bytes:
        return _stream(f"{self._seed}/{label}", count)

    def key(self, label: str, kind: KeyKind) -> PrivateKey:
        if kind == "ecdsa-p256":
            return ec.derive_private_key(int.from_bytes(self.random(label, 31)) + 1, ec.SECP256R1())
        return _rsa(int(kind.removeprefix("rsa-")), f"{self._seed}/{label}")


def _stream(label: str, count: int) -> bytes:
    return shake_256(label.encode()).digest(count)


@cache
def _rsa(bits: int, label: str) -> rsa.RSAPrivateKey:
    p, q = sorted((_prime(bits // 2, _stream(f"{label}/{part}", 512)) for part in "pq"), reverse=True)
    d = int(gmpy2.invert(EXPONENT, (p - 1) * (q - 1)))
    public = rsa.RSAPublicNumbers(EXPONENT, p * q)
    crt = (rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q))
    return rsa.RSAPrivateNumbers(p, q, d, *crt, public).private_key(unsafe_skip_rsa_key_validation=True)


def _prime(bits: int, stream: bytes) -> int:
    """The first prime after a number with its two highest bits set, such that 65537 has an inverse."""
    candidate = int.from_bytes(stream[: bits // 8]) | (3 << (bits - 2))
    known = _FOUND / sha256(f"{candidate:x}".encode()).hexdigest()
    if known.exists():
        return int(known.read_text(), 16)
    while True:
        candidate = int(gmpy2.next_prime(candidate))
        if gmpy2.gcd(candidate - 1, EXPONENT) == 1:
            part = known.with_suffix(f".{os.getpid()}")
            part.write_text(f"{candidate:x}")
            part.replace(known)
            return candidate
