"""Time and randomness enter here and nowhere else, so a build with a fixed entropy is byte-identical."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

    PrivateKey = RSAPrivateKey | EllipticCurvePrivateKey

KeyKind = Literal["rsa-2048", "rsa-4096", "ecdsa-p256"]


class Entropy(Protocol):
    """The label names what the value is for; a fixed entropy derives it from the label."""

    def now(self) -> datetime: ...

    def random(self, label: str, count: int) -> bytes: ...

    def key(self, label: str, kind: KeyKind) -> PrivateKey: ...


class SystemEntropy:
    """The machine's clock and random source."""

    def now(self) -> datetime:
        return datetime.now(UTC).replace(microsecond=0)

    def random(self, label: str, count: int) -> bytes:
        return os.urandom(count)

    def key(self, label: str, kind: KeyKind) -> PrivateKey:
        from cryptography.hazmat.primitives.asymmetric import ec, rsa

        if kind == "ecdsa-p256":
            return ec.generate_private_key(ec.SECP256R1())
        return rsa.generate_private_key(public_exponent=65537, key_size=int(kind.removeprefix("rsa-")))
