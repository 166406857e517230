"""A real token server: it knows one user (or nobody), and signs what the registry believes."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding

from tests.support.registry.server import PASSWORD, USER
from tests.support.registry.tls import Authority

SERVICE, ISSUER = "registry.loopback", "tokens.loopback"


def _segment(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class TokenServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path, anonymous: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.authority = Authority()
        self.leaf, self.key = self.authority.issue("127.0.0.1")
        self.anonymous = anonymous
        self.answer: tuple[int, bytes] | None = None  # instead of a token
        self.lifetime = 300
        self.asked: list[dict[str, list[str]]] = []
        folder.mkdir(parents=True)
        self.bundle = folder / "roots.pem"
        self.bundle.write_bytes(self.authority.pem)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def auth(self) -> dict[str, Any]:
        """The configuration of a registry that believes this server."""
        realm = f"http://{self.host}/token"
        token = {"realm": realm, "service": SERVICE, "issuer": ISSUER, "rootcertbundle": str(self.bundle)}
        return {"auth": {"token": token}}

    def token(self, scope: str) -> str:
        """A JWT; whoever asks gets what they ask for. The leaf's chain says which key signed."""
        chain = [base64.b64encode(self.leaf.public_bytes(Encoding.DER)).decode()]
        header = {"typ": "JWT", "alg": "ES256", "x5c": chain}
        kind, name, actions = scope.split(":")
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "sub": USER,
            "aud": SERVICE,
            "nbf": now - 60,
            "iat": now,
            "exp": now + self.lifetime,
            "jti": str(now),
            "access": [{"type": kind, "name": name, "actions": actions.split(",")}],
        }
        text = f"{_segment(json.dumps(header).encode())}.{_segment(json.dumps(claims).encode())}"
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{text}.{_segment(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


class _Handler(BaseHTTPRequestHandler):
    server: TokenServer

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        self.server.asked.append(query)
        expected = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        sent = self.headers.get("Authorization")
        if self.server.answer:
            self._say(*self.server.answer)
        elif sent == expected or (sent is None and self.server.anonymous):
            self._say(200, json.dumps({"token": self.server.token(query["scope"][0])}).encode())
        else:
            self._say(401, b"{}")

    def _say(self, status: int, body: bytes) -> None:
        self.send_response_only(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@contextmanager
def token_server(folder: Path, *, anonymous: bool = False) -> Iterator[TokenServer]:
    server = TokenServer(folder, anonymous)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
