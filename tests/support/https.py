"""An HTTPS server on loopback whose handler is a test's own."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.registry.tls import Authority


class Handler(BaseHTTPRequestHandler):
    server: Any  # with what `served` was given

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self, code: int, content: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words: object) -> None:
        """Not on a test's terminal."""


@contextmanager
def served(
    handler: type[Handler], authority: Authority, folder: Path, name: str = "127.0.0.1", **known: object
) -> Iterator[Any]:
    """With a certificate for the name; the handler finds `known` at its server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    vars(server).update(known)
    settings = authority.tls(folder, name)["http"]["tls"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings["certificate"], settings["key"])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
