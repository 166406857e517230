"""What is to be handed over: each node's Ignition file, the token that opens it, and who has had it already.

An Ignition file holds keys of the cluster, so it is sent once. The numbers that tokens are made from, and the receipts,
are in one file that only the owner can read; they outlive the server, so that a file that was sent stays sent.
A receipt is written before the first byte goes out: a client can always keep back its last acknowledgement, and what
it has read it has.

A token is made from its random number and the key of root-ca: whoever planted the file in a folder knows no token of
the cluster that is built there.
"""

from __future__ import annotations

import hmac
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import sha512
from typing import Any, Literal, get_args

from hardway.deliver.identity import authority
from hardway.graph.store import Store
from hardway.io import plain
from hardway.io.lock import locked
from hardway.model.entropy import Entropy
from hardway.model.errors import ConfigError, ToolError
from hardway.workspace.folder import Workspace

FOLDER = "deliver"  # below assets
STATE = f"{FOLDER}/state.json"
LOCK = f"{FOLDER}/.lock"
NONCE_BYTES = 32
_NONCE = re.compile(r"[A-Za-z0-9_-]{43}")
_HASH = re.compile(r"sha512-[0-9a-f]{128}")
_PEER = re.compile(r"[!-~]{1,64}")  # an address, and of a link-local one its interface
End = Literal["delivered", "broke off", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """One node's file and what opens it."""

    node: str
    content: bytes = field(repr=False)
    token: str = field(repr=False)

    @property
    def hash(self) -> str:
        """As coreos-installer and Ignition write it."""
        return f"sha512-{sha512(self.content).hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """To whom a node's file was sent, when, and how much of it."""

    at: str
    to: str
    hash: str
    end: End = "delivered"
    sent: int = 0  # bytes at most, if it broke off
    size: int = 0

    @property
    def delivered(self) -> bool:
        return self.end == "delivered"

    def state(self, node: str) -> str:
        if self.delivered:
            return f"delivered {self.at} to {self.to}"
        went = f"at most {self.sent} of {self.size} bytes" if self.end == "broke off" else "an unknown part of the file"
        return f"not delivered: {went} went to {self.to} at {self.at}; {once_more(node)}"


def once_more(node: str) -> str:
    return f"the token is spent, `hardway deliver {node} --again` makes a new one"


class Ledger:
    """Numbers for tokens, and receipts, by node, in a file of mode 0600."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._nonces: dict[str, str] = {}
        self.receipts: dict[str, Receipt] = {}
        if content := store.read(STATE):
            self._parse(content)

    def _parse(self, content: bytes) -> None:
        try:
            known: dict[str, Any] = json.loads(content)
            nonces = known.get("nonces", {})  # earlier versions kept the tokens themselves, which open nothing now
            self._nonces = {node: _nonce(text) for node, text in nonces.items()}
            self.receipts = {node: _receipt(row) for node, row in known["delivered"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ConfigError(
                f"{self._store.root / STATE} is damaged, so the deliveries are unknown.\n"
                "    fix: remove it if no node has had its file; else `hardway build --rotate ADDRESS` for what "
                "leaked"
            ) from None

    def save(self) -> None:
        delivered = {node: asdict(receipt) for node, receipt in self.receipts.items()}
        text = json.dumps({"nonces": self._nonces, "delivered": delivered}, indent=1, sort_keys=True)
        self._store.write(STATE, text.encode(), 0o600)

    def record(self, node: str, receipt: Receipt) -> None:
        self.receipts[node] = receipt
        self.save()

    def token(self, node: str, entropy: Entropy) -> str:
        """The node's token; its number is made when it is first asked for."""
        if node not in self._nonces:
            self._nonces[node] = _text(entropy.random(f"deliver/{node}", NONCE_BYTES))
        _, key = authority(self._store)
        return _text(hmac.digest(key, f"deliver/{node}/{self._nonces[node]}".encode(), "sha256"))

    def again(self, nodes: Iterable[str]) -> None:
        """Forget that they were served; their old tokens, which have been about, open nothing any more."""
        for node in nodes:
            self.receipts.pop(node, None)
            self._nonces.pop(node, None)


def _text(number: bytes) -> str:
    return urlsafe_b64encode(number).decode().rstrip("=")


def _nonce(text: str) -> str:
    if not _NONCE.fullmatch(text):
        raise ValueError("not a number that was made here")
    return text


def _receipt(row: dict[str, Any]) -> Receipt:
    """TypeError or ValueError if it is not what this program writes."""
    receipt = Receipt(**row)
    texts = _HASH.fullmatch(receipt.hash) and _PEER.fullmatch(receipt.to) and receipt.end in get_args(End)
    numbers = all(type(count) is int and count >= 0 for count in (receipt.sent, receipt.size))
    if not texts or not numbers or datetime.fromisoformat(receipt.at).isoformat() != receipt.at:
        raise ValueError("not a receipt that was written here")
    return receipt


def names(workspace: Workspace, wanted: Sequence[str], every: bool) -> tuple[str, ...]:
    """The nodes that were asked for, in the plan's order."""
    known = [node.name for node in workspace.loaded.cluster.nodes]
    if unknown := [name for name in wanted if name not in known]:
        raise ConfigError(f"there is no node {unknown[0]!r}.\n    fix: name one of: {', '.join(known)}")
    if not wanted and not every:
        raise ConfigError(f"no node is named.\n    fix: name one or more of {', '.join(known)}, or give --all")
    return tuple(name for name in known if every or name in wanted)


def parcels(workspace: Workspace, nodes: Iterable[str], ledger: Ledger, entropy: Entropy) -> tuple[Parcel, ...]:
    found = []
    for node in nodes:
        asset = workspace.graph.get(f"ignition/{node}")
        content = workspace.store.read(asset.path) if asset else None
        if content is None:
            raise no_ignition(node, planned=asset is not None)
        found.append(Parcel(node=node, content=content, token=ledger.token(node, entropy)))
    return tuple(found)


def no_ignition(node: str, *, planned: bool) -> ConfigError:
    """`planned`: everything that it is made of is there."""
    before = "" if planned else "`hardway build 04`, which brings MCO's render, then "
    return ConfigError(f"{node} has no Ignition file.\n    fix: run {before}`hardway build 08`")


@contextmanager
def alone(store: Store) -> Iterator[None]:
    """One server a folder: two of them would each hand out the same file once."""
    folder = store.folder(FOLDER)
    with ExitStack() as held:
        try:
            held.enter_context(locked(store.root / LOCK, _refuse))
        except plain.NotPlain:
            raise
        except OSError as error:
            fix = "get permission to write there"
            raise ToolError(f"cannot write {folder}: {error.strerror}.\n    fix: {fix}") from None
        yield


def _refuse(holder: str) -> None:
    raise ToolError("another `hardway deliver` is running in this folder.\n    fix: wait for it, or stop it")
