"""Who may have what: the decisions of the one-time server, without any network."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Literal

from hardway.deliver.ledger import End, Ledger, Parcel, Receipt
from hardway.model.entropy import Entropy

Verdict = Literal["open", "forbidden", "gone"]
_NOBODY = "x" * 43  # compared with when the node is unknown, so that an unknown node takes as long as a wrong token


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request is entitled to. The node is named only if it is one of ours."""

    node: str
    verdict: Verdict
    parcel: Parcel | None = None


class DeliveryPolicy:
    """One file a node, sent once, arrived or not. Every decision is made under one lock."""

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
        """The nodes that have not got their file, whether it can still be fetched or not."""
        receipts = self._ledger.receipts
        return tuple(node for node in self._parcels if node not in receipts or not receipts[node].delivered)

    def ask(self, path: str) -> Asked:
        """Look at a path of the form /NODE/TOKEN; nothing changes."""
        node, _, token = path.removeprefix("/").partition("/")
        parcel = self._parcels.get(node)
        right = compare_digest((parcel.token if parcel else _NOBODY).encode(), token.encode("utf-8", "replace"))
        if parcel is None or not right:
            return Asked(node=parcel.node if parcel else "-", verdict="forbidden")
        with self._lock:
            return Asked(node=node, verdict=self._verdict(node), parcel=parcel)

    def claim(self, path: str, peer: str) -> Asked:
        """The same, and whoever finds it open has spent the token: it is written down before a byte is sent."""
        asked = self.ask(path)
        if asked.parcel is None:
            return asked
        with self._lock:
            verdict = self._verdict(asked.node)
            if verdict == "open":
                self._sending.add(asked.node)
                self._note(asked.parcel, peer, "unknown", 0)
            return Asked(node=asked.node, verdict=verdict, parcel=asked.parcel)

    def _verdict(self, node: str) -> Verdict:
        return "gone" if node in self._sending or node in self._ledger.receipts else "open"

    def ended(self, parcel: Parcel, peer: str, sent: int, *, arrived: bool) -> None:
        """How the transfer ended; the token stays spent."""
        with self._lock:
            try:
                self._note(parcel, peer, "delivered" if arrived else "broke off", sent)
            finally:
                self._sending.discard(parcel.node)
                self._look()

    def _note(self, parcel: Parcel, peer: str, end: End, sent: int) -> None:
        at, size = self._entropy.now().isoformat(), len(parcel.content)
        self._ledger.record(parcel.node, Receipt(at=at, to=peer, hash=parcel.hash, end=end, sent=sent, size=size))

    def _look(self) -> None:
        """Nothing that can be fetched, and nothing under way: there is no more to do."""
        if not self._sending and all(node in self._ledger.receipts for node in self._parcels):
            self.finished.set()
