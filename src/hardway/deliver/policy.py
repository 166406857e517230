"""Who may have what: the decisions of the one-time server, without any network."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Literal

from hardway.deliver.ledger import Ledger, Parcel, Receipt
from hardway.model.entropy import Entropy

Verdict = Literal["open", "forbidden", "gone", "busy"]
_NOBODY = "x" * 43  # compared with when the node is unknown, so that an unknown node takes as long as a wrong token


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request is entitled to. The node is named only if it is one of ours."""

    node: str
    verdict: Verdict
    parcel: Parcel | None = None


class DeliveryPolicy:
    """One file a node, once. Every decision is made under one lock."""

    def __init__(self, parcels: Iterable[Parcel], ledger: Ledger, entropy: Entropy) -> None:
        self._parcels = {p.node: p for p in parcels}
        self._ledger = ledger
        self._entropy = entropy
        self._lock = threading.Lock()
        self._sending: set[str] = set()
        self.finished = threading.Event()
        self._look()

    @property
    def left(self) -> tuple[str, ...]:
        return tuple(node for node in self._parcels if node not in self._ledger.receipts)

    def ask(self, path: str) -> Asked:
        """Look at a path of the form /NODE/TOKEN; nothing changes."""
        node, _, token = path.removeprefix("/").partition("/")
        parcel = self._parcels.get(node)
        right = compare_digest((parcel.token if parcel else _NOBODY).encode(), token.encode("utf-8", "replace"))
        if parcel is None or not right:
            return Asked(node=parcel.node if parcel else "-", verdict="forbidden")
        with self._lock:
            return Asked(node=node, verdict=self._verdict(node), parcel=parcel)

    def claim(self, path: str) -> Asked:
        """The same, and whoever finds it open is the only one to get it."""
        asked = self.ask(path)
        if asked.parcel is None:
            return asked
        with self._lock:
            verdict = self._verdict(asked.node)
            if verdict == "open":
                self._sending.add(asked.node)
            return Asked(node=asked.node, verdict=verdict, parcel=asked.parcel)

    def _verdict(self, node: str) -> Verdict:
        if node in self._ledger.receipts:
            return "gone"
        return "busy" if node in self._sending else "open"

    def broke(self, parcel: Parcel) -> None:
        """It did not arrive: the next one may have it."""
        with self._lock:
            self._sending.discard(parcel.node)

    def arrived(self, parcel: Parcel, peer: str) -> None:
        with self._lock:
            at = self._entropy.now().isoformat()
            try:
                self._ledger.record(parcel.node, Receipt(at=at, to=peer, hash=parcel.hash))
            finally:
                self._sending.discard(parcel.node)
                self._look()

    def _look(self) -> None:
        if not self.left:
            self.finished.set()
