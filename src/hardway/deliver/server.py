"""The one-time server: TLS, one thread a connection, an event for everything that happens and no secret in any."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hardway.deliver import wire
from hardway.deliver.guests import Guest, Guests
from hardway.deliver.ledger import Parcel, once_more
from hardway.deliver.policy import Asked, DeliveryPolicy
from hardway.model.entropy import Entropy
from hardway.model.errors import ToolError

BACKLOG = 128
MOST_TOLD = 1000  # different things that are told of clients without a token
TICK_SECONDS = 0.2
LAST_WORDS_SECONDS = 10.0
IGNITION = "application/vnd.coreos.ignition+json"
REFUSALS = {
    "forbidden": (403, "Forbidden.", "wrong node or token"),
    "gone": (
        410,
        "This file was sent already, whole or in part. Ask the administrator: hardway deliver NODE --again.",
        "sent before; `hardway deliver {node} --again` if it was not this machine, or did not arrive",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. Neither paths nor contents come here, only names from the plan."""

    at: str
    node: str
    peer: str
    what: str
    detail: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {"at": self.at, "node": self.node, "peer": self.peer, "what": self.what, "detail": self.detail}


class Server:
    def __init__(
        self, policy: DeliveryPolicy, tls: ssl.SSLContext, entropy: Entropy, tell: Callable[[Event], None]
    ) -> None:
        self._policy = policy
        self._tls = tls
        self._entropy = entropy
        self._tell = tell
        self._telling = threading.Lock()
        self._told: set[tuple[str, str]] = set()
        self._guests = Guests(wire.REQUEST_SECONDS)
        self._threads: list[threading.Thread] = []

    def serve(self, listener: socket.socket, seconds: float) -> None:
        """Until every file was sent or the time is over; then nobody listens any more."""
        deadline = time.monotonic() + seconds
        listener.settimeout(TICK_SECONDS)
        with listener:
            while not self._policy.finished.is_set() and time.monotonic() < deadline:
                self._guests.tidy()
                try:
                    connection, address = listener.accept()
                except TimeoutError:
                    continue
                except OSError:  # whoever came is gone again, or there are no descriptors left for a moment
                    time.sleep(TICK_SECONDS)
                    continue
                self._start(connection, str(address[0]))
        last = time.monotonic() + LAST_WORDS_SECONDS
        for thread in self._threads:
            thread.join(max(last - time.monotonic(), 0))

    def _start(self, connection: socket.socket, peer: str) -> None:
        """A machine that has no descriptor or thread left for a client hangs up, and serves the next one."""
        try:
            guest = self._guests.welcome(connection, peer)
        except OSError:
            connection.close()
            return
        thread = threading.Thread(target=self._attend, args=(connection, peer, guest), daemon=True)
        try:
            thread.start()
        except RuntimeError:
            self._guests.gone(guest)
            connection.close()
            return
        self._threads = [t for t in self._threads if t.is_alive()] + [thread]

    def _attend(self, connection: socket.socket, peer: str, guest: Guest) -> None:
        try:
            with connection:
                if wire.speaks_tls(connection):
                    self._talk(connection, peer, guest)
                else:
                    self._say("-", peer, "refused", "plain HTTP")
                    wire.refuse_plain(connection)
        except wire.BrokenRequest:
            self._say("-", peer, "refused", "no HTTP request in time")
        except ssl.SSLError as error:
            self._say("-", peer, "refused", f"no TLS session: {error.reason or 'broken'}")
        except OSError:
            self._say("-", peer, "lost", "the connection broke")
        finally:
            self._guests.gone(guest)

    def _talk(self, connection: socket.socket, peer: str, guest: Guest) -> None:
        connection.settimeout(wire.REQUEST_SECONDS)
        with self._tls.wrap_socket(connection, server_side=True) as secure:
            request = wire.read_request(secure)
            if request.method == "GET":
                self._get(secure, peer, request.path, guest)
            elif request.method == "HEAD":
                self._head(secure, peer, request.path)
            else:
                self._say("-", peer, "refused", "neither GET nor HEAD")
                wire.answer(secure, 405, "Only GET is supported.", "Allow: GET, HEAD")

    def _head(self, secure: ssl.SSLSocket, peer: str, path: str) -> None:
        asked = self._policy.ask(path)
        if asked.verdict != "open" or asked.parcel is None:
            self._refuse(secure, peer, asked, body=False)
            return
        self._say(asked.node, peer, "looked", "HEAD delivers nothing")
        secure.sendall(wire.head(200, len(asked.parcel.content), IGNITION))
        wire.until_closed(secure, wire.REFUSED_SECONDS)

    def _get(self, secure: ssl.SSLSocket, peer: str, path: str, guest: Guest) -> None:
        try:
            asked = self._policy.claim(path, peer)
        except ToolError:
            self._say("-", peer, "refused", "what is sent cannot be recorded, so nothing is sent")
            wire.answer(secure, 500, "The server cannot write its record.")
            return
        if asked.verdict != "open" or asked.parcel is None:
            self._refuse(secure, peer, asked)
            return
        self._guests.trusted(guest)
        self._send(secure, peer, asked.parcel)

    def _send(self, secure: ssl.SSLSocket, peer: str, parcel: Parcel) -> None:
        head = wire.head(200, len(parcel.content), IGNITION)
        gone, arrived = wire.send(secure, head + parcel.content)
        sent = max(gone - len(head), 0)
        if arrived:
            what, detail = "delivered", f"{sent} bytes"
        else:
            what = "broke off"
            detail = f"at most {sent} of {len(parcel.content)} bytes went out; {once_more(parcel.node)}"
        try:
            self._policy.ended(parcel, peer, sent, arrived=arrived)
        except ToolError:
            detail += ", and this could not be recorded"
        self._say(parcel.node, peer, what, detail)

    def _refuse(self, secure: ssl.SSLSocket, peer: str, asked: Asked, *, body: bool = True) -> None:
        status, text, detail = REFUSALS[asked.verdict]
        self._say(asked.node, peer, "refused", detail.format(node=asked.node))
        wire.answer(secure, status, text, body=body)

    def _say(self, node: str, peer: str, what: str, detail: str) -> None:
        """What is nobody's file is told once an address: it can happen without end."""
        at = self._entropy.now().isoformat()
        with self._telling:
            if node == "-":
                if (peer, detail) in self._told or len(self._told) >= MOST_TOLD:
                    return
                self._told.add((peer, detail))
            self._tell(Event(at=at, node=node, peer=peer, what=what, detail=detail))


def listen(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise ToolError(
            f"cannot listen on {address} port {port}: {error.strerror}.\n"
            "    fix: give an address of this machine with --listen, or a free port with --port"
        ) from None


def is_here(address: str) -> bool:
    """Whether this machine has the address."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True
