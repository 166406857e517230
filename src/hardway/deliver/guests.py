"""Connections that have not shown a right token yet: how many there may be, from where, and for how long.

Whoever can reach the port can connect. So a newcomer is always let in, and when there are too many, the oldest one of
the address that has the most is sent away: a machine of the plan needs a moment, and whoever blocks others stays long.
"""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

MOST = 128
MOST_OF_ONE_ADDRESS = 64  # machines behind one address translator come from one


@dataclass(frozen=True, slots=True, eq=False)
class Guest:
    handle: socket.socket  # a second descriptor: TLS takes the first one over
    origin: str
    until: float


class Guests:
    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._here: dict[Guest, None] = {}  # the oldest first
        self._lock = threading.Lock()

    def welcome(self, connection: socket.socket, peer: str) -> Guest:
        handle = connection.dup()
        guest = Guest(handle, origin(peer), self._clock() + self._seconds)
        with self._lock:
            self._here[guest] = None
            if (late := self._crowding(guest)) is not None:
                self._send_away(late)
        return guest

    def trusted(self, guest: Guest) -> None:
        """It has shown a token: neither crowd nor clock concern it any more."""
        with self._lock:
            self._here.pop(guest, None)

    def gone(self, guest: Guest) -> None:
        with self._lock:
            self._here.pop(guest, None)
            guest.handle.close()

    def tidy(self) -> None:
        """Those whose time is over."""
        with self._lock:
            now = self._clock()
            for guest in [g for g in self._here if g.until < now]:
                self._send_away(guest)

    def _crowding(self, newest: Guest) -> Guest | None:
        counts = Counter(guest.origin for guest in self._here)
        if counts[newest.origin] > MOST_OF_ONE_ADDRESS:
            crowd = newest.origin
        elif len(self._here) > MOST:
            crowd = max(counts, key=lambda address: counts[address])
        else:
            return None
        return next(guest for guest in self._here if guest.origin == crowd)

    def _send_away(self, guest: Guest) -> None:
        del self._here[guest]
        with suppress(OSError):
            guest.handle.shutdown(socket.SHUT_RDWR)  # its thread finds the end of the stream


def origin(peer: str) -> str:
    """One machine can have every IPv6 address of its network, so the network is what counts."""
    address = ip_address(peer.partition("%")[0])
    return f"{address.exploded[:19]}::/64" if isinstance(address, IPv6Address) else peer
