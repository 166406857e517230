"""Nothing random: the same label gives the same value in every build of an experiment, so that what differs between two
of them comes from the input alone. What is made with it is compared and thrown away."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import shake_256
from typing import TYPE_CHECKING

from hardway.model.entropy import KeyKind

if TYPE_CHECKING:
    from hardway.model.entropy import PrivateKey

NOW = datetime(2000, 1, 1, tzinfo=UTC)


class NoEntropy:
    """Every key is an elliptic curve's, whatever kind is asked for: finding primes takes seconds."""

    def now(self) -> datetime:
        return NOW

    def random(self, label: str, count: int) -> bytes:
        return shake_256(label.encode()).digest(count)

    def key(self, label: str, kind: KeyKind) -> PrivateKey:
        from cryptography.hazmat.primitives.asymmetric import ec

        return ec.derive_private_key(1 + int.from_bytes(self.random(f"{kind} {label}", 31)), ec.SECP256R1())
