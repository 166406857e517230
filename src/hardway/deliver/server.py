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
from hardway.deliver.ledger import Parcel
from hardway.deliver.policy import Asked, DeliveryPolicy
from hardway.model.entropy import Entropy
from hardway.model.errors import ToolError

MOST_CONNECTIONS = 128
TICK_SECONDS = 0.2
LAST_WORDS_SECONDS = 10.0
IGNITION = "application/vnd.coreos.ignition+json"
REFUSALS = {
    "forbidden": (403, "Forbidden."),
    "gone": (410, "This file was delivered already. Ask the administrator: hardway deliver NODE --again."),
    "busy": (503, "This file is being delivered to somebody at this moment."),
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
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._threads: list[threading.Thread] = []

    def serve(self, listener: socket.socket, seconds: float) -> None:
        """Until everything is delivered or the time is over; then nobody listens any more."""
        deadline = time.monotonic() + seconds
        listener.settimeout(TICK_SECONDS)
        with listener:
            while not self._policy.finished.is_set() and time.monotonic() < deadline:
                try:
                    connection, address = listener.accept()
                except TimeoutError:
                    continue
                self._start(connection, str(address[0]))
        last = time.monotonic() + LAST_WORDS_SECONDS
        for thread in self._threads:
            thread.join(max(last - time.monotonic(), 0))

    def _start(self, connection: socket.socket, peer: str) -> None:
        if not self._room.acquire(blocking=False):
            connection.close()
            return
        thread = threading.Thread(target=self._attend, args=(connection, peer), daemon=True)
        self._threads = [t for t in self._threads if t.is_alive()] + [thread]
        thread.start()

    def _attend(self, connection: socket.socket, peer: str) -> None:
        try:
            with connection:
                if wire.speaks_tls(connection):
                    self._talk(connection, peer)
                else:
                    self._say("-", peer, "refused", "plain HTTP")
                    wire.refuse_plain(connection)
        except wire.BrokenRequest:
            self._say("-", peer, "refused", "no HTTP request")
        except ssl.SSLError as error:
            self._say("-", peer, "refused", f"no TLS session: {error.reason or 'broken'}")
        except OSError:
            self._say("-", peer, "lost", "the connection broke")
        finally:
            self._room.release()

    def _talk(self, connection: socket.socket, peer: str) -> None:
        connection.settimeout(wire.REQUEST_SECONDS)
        with self._tls.wrap_socket(connection, server_side=True) as secure:
            request = wire.read_request(secure)
            if request.method == "GET":
                self._get(secure, peer, request.path)
            elif request.method == "HEAD":
                self._head(secure, peer, request.path)
            else:
                self._say("-", peer, "refused", "neither GET nor HEAD")
                wire.answer(secure, 405, "GET is all there is.", "Allow: GET, HEAD")

    def _head(self, secure: ssl.SSLSocket, peer: str, path: str) -> None:
        asked = self._policy.ask(path)
        if asked.verdict != "open" or asked.parcel is None:
            self._refuse(secure, peer, asked, body=False)
            return
        self._say(asked.node, peer, "looked", "HEAD delivers nothing")
        secure.sendall(wire.head(200, len(asked.parcel.content), IGNITION))
        wire.until_closed(secure)

    def _get(self, secure: ssl.SSLSocket, peer: str, path: str) -> None:
        asked = self._policy.claim(path)
        if asked.verdict != "open" or asked.parcel is None:
            self._refuse(secure, peer, asked)
            return
        if self._send(secure, asked.parcel):
            self._record(asked.parcel, peer)
        else:
            self._policy.broke(asked.parcel)
            self._say(asked.node, peer, "broke off", "not delivered, and may be asked for again")

    def _record(self, parcel: Parcel, peer: str) -> None:
        try:
            self._policy.arrived(parcel, peer)
            self._say(parcel.node, peer, "delivered", f"{len(parcel.content)} bytes")
        except ToolError:
            self._say(parcel.node, peer, "delivered", "but it could not be recorded: do not serve this node again")

    def _send(self, secure: ssl.SSLSocket, parcel: Parcel) -> bool:
        try:
            wire.send(secure, wire.head(200, len(parcel.content), IGNITION))
            wire.send(secure, parcel.content)
            return wire.acknowledged(secure) and wire.until_closed(secure)
        except OSError:
            return False

    def _refuse(self, secure: ssl.SSLSocket, peer: str, asked: Asked, *, body: bool = True) -> None:
        status, text = REFUSALS[asked.verdict]
        reasons = {"forbidden": "wrong node or token", "gone": "delivered before", "busy": "being delivered"}
        self._say(asked.node, peer, "refused", reasons[asked.verdict])
        extra = ("Retry-After: 5",) if status == 503 else ()
        wire.answer(secure, status, text, *extra, body=body)

    def _say(self, node: str, peer: str, what: str, detail: str) -> None:
        at = self._entropy.now().isoformat()
        with self._telling:
            self._tell(Event(at=at, node=node, peer=peer, what=what, detail=detail))


def listen(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, port), family=family, backlog=MOST_CONNECTIONS)
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
