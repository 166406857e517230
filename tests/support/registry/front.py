"""An HTTP server before a registry: it passes everything on, but cuts, redirects, refuses as it is told."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Front(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = upstream
        self.statuses: list[int] = []  # given to the next requests instead of an answer
        self.headers: dict[str, str] = {}  # sent with these statuses
        self.body = b""  # and this
        self.cuts: list[int] = []  # the next blobs that are longer break off after so many bytes
        self.ranges = True  # whether the Range header is passed on
        self.redirect = ""  # a base URL that blobs are redirected to
        self.seen: list[tuple[str, dict[str, str]]] = []  # path, headers
        self.reached = threading.Event()  # a cut has come
        self.hold = threading.Event()  # until it is set, a connection stays open at a cut
        self.reset = False  # whether a cut is a reset, which can overtake bytes that were sent

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def blobs(self) -> list[dict[str, str]]:
        """The headers of every request for a blob."""
        return [headers for path, headers in self.seen if "/blobs/" in path]

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that break off are part of the game."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Front

    def do_GET(self) -> None:
        self.server.seen.append((self.path, dict(self.headers)))
        if self.server.statuses:
            self._answer(self.server.statuses.pop(0), self.server.headers, self.server.body)
        elif self.server.redirect and "/blobs/" in self.path:
            self._answer(307, {"Location": self.server.redirect + self.path}, b"")
        else:
            self._pass_on()

    def _pass_on(self) -> None:
        skipped = {"host", "connection"} | (set() if self.server.ranges else {"range"})
        connection = http.client.HTTPConnection(self.server.upstream)
        connection.request(
            "GET", self.path, headers={k: v for k, v in self.headers.items() if k.lower() not in skipped}
        )
        response = connection.getresponse()
        content = response.read()
        connection.close()
        cuts = self.server.cuts
        cut = cuts.pop(0) if cuts and "/blobs/" in self.path and len(content) > cuts[0] else None
        self._answer(response.status, dict(response.headers), content, cut)

    def _answer(self, status: int, headers: dict[str, str], content: bytes, cut: int | None = None) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:cut])
        self.wfile.flush()
        if cut is not None:
            self._break_off()

    def _break_off(self) -> None:
        self.server.reached.set()
        self.server.hold.wait()
        if self.server.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@contextmanager
def front(upstream: str = "127.0.0.1:1") -> Iterator[Front]:
    server = Front(upstream)
    server.hold.set()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.hold.set()
        server.shutdown()
        server.server_close()
