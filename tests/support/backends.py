"""TLS servers that say whether they are ready, with certificates of our own tree: API servers to a load balancer."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class _Handler(socketserver.BaseRequestHandler):
    server: Backend

    def handle(self) -> None:
        try:
            line = (
                self.server.context.wrap_socket(self.request, server_side=True) if self.server.context else self.request
            )
            self._serve(line)
        except OSError:
            return

    def _serve(self, line: socket.socket) -> None:
        """One HTTP/1.0 request, or, after `watch`, one echo for each message until the client goes."""
        first = line.recv(4096)
        if first == b"watch\n":
            while first:
                line.sendall(self.server.name.encode() + b"\n")
                first = line.recv(4096)
            return
        path = first.split(b" ")[1].decode() if first.count(b" ") > 1 else ""
        line.sendall(self.server.answer(path).encode())
        line.close()


class Backend(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, name: str, address: tuple[str, int], context: ssl.SSLContext | None) -> None:
        self.name, self.context, self.ready, self.served = name, context, True, 0
        self._lock = threading.Lock()
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, _Handler)

    def answer(self, path: str) -> str:
        if path in ("/readyz", "/healthz", "/healthz/ready"):
            return f"HTTP/1.0 {'200 OK' if self.ready else '500 Not Ready'}\r\nContent-Length: 0\r\n\r\n"
        with self._lock:
            self.served += 1
        return f"HTTP/1.0 200 OK\r\nContent-Length: {len(self.name)}\r\n\r\n{self.name}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that break off are part of the game."""


@contextmanager
def backend(name: str, address: str, port: int, context: ssl.SSLContext | None = None) -> Iterator[Backend]:
    server = Backend(name, (address, port), context)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        stop(server)


def stop(server: Backend) -> None:
    server.shutdown()
    server.server_close()


def serving(tls: Path, name: str = "kube-apiserver-internal-lb-server") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tls / f"{name}.crt", tls / f"{name}.key")
    return context


def trusting(tls: Path) -> ssl.SSLContext:
    """A client that believes the API's signers alone, and checks the name."""
    return ssl.create_default_context(cafile=str(tls / "kube-apiserver-complete-server-ca-bundle.crt"))
