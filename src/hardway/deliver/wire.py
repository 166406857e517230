"""One connection's bytes: a request within limits, an answer, and whether it arrived."""

from __future__ import annotations

import fcntl
import socket
import struct
import termios
import time
from dataclasses import dataclass

HANDSHAKE = b"\x16"  # the first byte of every TLS connection
LONGEST_REQUEST = 8192
REQUEST_SECONDS = 10.0  # from the connection to the end of the request, the handshake included
TRANSFER_SECONDS = 600.0  # for a whole file
STALLED_SECONDS = 30.0  # in which some of it must move
GOODBYE_SECONDS = 5.0  # after a whole file
REFUSED_SECONDS = 1.0  # after a refusal
TICK_SECONDS = 0.01
CHUNK = 65536
PHRASES = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    405: "Method Not Allowed",
    410: "Gone",
    500: "Internal Server Error",
}


class BrokenRequest(Exception):
    """The client did not send a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    method: str
    path: str


def speaks_tls(connection: socket.socket) -> bool:
    """Look at the first byte and leave it where it is."""
    connection.settimeout(REQUEST_SECONDS)
    first = connection.recv(1, socket.MSG_PEEK)
    if not first:
        raise BrokenRequest
    return first == HANDSHAKE


def read_request(connection: socket.socket) -> Request:
    """The whole head within a limit of bytes; how long it may take is the business of whoever let the client in."""
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(LONGEST_REQUEST)
        head += part
        if not part or len(head) > LONGEST_REQUEST:
            raise BrokenRequest
    words = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise BrokenRequest
    return Request(method=words[0], path=words[1].partition("?")[0])


def head(status: int, length: int, kind: str, *extra: str) -> bytes:
    lines = (
        f"HTTP/1.1 {status} {PHRASES[status]}",
        f"Content-Type: {kind}",
        f"Content-Length: {length}",
        "Cache-Control: no-store",
        "Connection: close",
        *extra,
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def answer(connection: socket.socket, status: int, text: str, *extra: str, body: bool = True) -> None:
    content = f"{text}\n".encode()
    connection.settimeout(REQUEST_SECONDS)
    connection.sendall(head(status, len(content), "text/plain", *extra) + (content if body else b""))
    until_closed(connection, REFUSED_SECONDS)


def send(connection: socket.socket, content: bytes) -> tuple[int, bool]:
    """How much can have gone out at most, and whether all of it arrived."""
    deadline, sent = time.monotonic() + TRANSFER_SECONDS, 0
    connection.settimeout(STALLED_SECONDS)
    try:
        while sent < len(content) and time.monotonic() < deadline:
            part = content[sent : sent + CHUNK]
            sent += len(part)  # before it goes: a part that breaks off may have gone
            connection.sendall(part)
        return sent, sent == len(content) and acknowledged(connection) and until_closed(connection)
    except OSError:
        return sent, False


def acknowledged(connection: socket.socket) -> bool:
    """Wait until the other machine's kernel has confirmed every byte; after a reset it never will."""
    deadline = time.monotonic() + STALLED_SECONDS
    while _in_flight(connection):
        if time.monotonic() > deadline or connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            return False
        time.sleep(TICK_SECONDS)
    return True


def _in_flight(connection: socket.socket) -> int:
    answer = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, struct.pack("i", 0))
    return int(struct.unpack("i", answer)[0])


def until_closed(connection: socket.socket, seconds: float = GOODBYE_SECONDS) -> bool:
    """Wait for the other side to hang up in order; a reset means that it threw away what it had not read."""
    deadline = time.monotonic() + seconds
    try:
        while (left := deadline - time.monotonic()) > 0:
            connection.settimeout(left)
            if not connection.recv(4096):
                return True
    except TimeoutError:
        return True  # it has everything and merely does not hang up
    except OSError:
        return False
    return True


def refuse_plain(connection: socket.socket) -> None:
    """In the language that was spoken; the request is read first, or closing would reset the answer away."""
    connection.settimeout(REQUEST_SECONDS)
    connection.recv(LONGEST_REQUEST)
    answer(connection, 400, "This server supports TLS only. Use https:// in the URL.")
