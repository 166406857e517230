"""The server: loopback alone, GET for what is read, POST for a command of the table."""

from __future__ import annotations

import json
import sys
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from hardway.model.errors import ToolError
from hardway.page.frame import ICON, SCRIPT, STYLE, Frame, assets
from hardway.page.served import commands
from hardway.page.served.gate import Gate, Refused
from hardway.page.served.printed import Printed
from hardway.page.served.shelf import Shelf

ADDRESS = "127.0.0.1"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
KINDS = {STYLE: "text/css", SCRIPT: "text/javascript", ICON: "image/svg+xml"}
WELCOME = (
    b'<!doctype html><html lang="en"><title>hardway</title><link rel="icon" href="/icon.svg">'
    b'<meta http-equiv="refresh" content="0; url=/">'
    b'<a href="/">Open the guide</a></html>'
)
PRINTED = "printed"
LONGEST = 4096  # bytes of a command
PATIENCE = 30  # seconds for a request to arrive
SERVED = {"data_served": "yes"}


class Server(ThreadingHTTPServer):
    """`url` opens it once."""

    daemon_threads = True

    def __init__(self, shelf: Shelf, port: int = 0) -> None:
        try:
            super().__init__((ADDRESS, port), Handler)
        except OSError as error:
            message = f"port {port} of {ADDRESS}: {error.strerror}"
            raise ToolError(f"{message}.\n    fix: name another port with --port, or none") from None
        self.shelf = shelf
        self.gate = Gate(port=self.server_port)
        self.printed = Printed()
        self.frame = Frame(cluster=shelf.site.workspace.loaded.cluster.domain, policy="", served=SERVED)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone on before the answer was there is no error."""
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_port}/?token={self.gate.token}"


class Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = PATIENCE
    server_version, sys_version = "hardway", ""

    def do_GET(self) -> None:
        self._guarded(self._get)

    def do_POST(self) -> None:
        self._guarded(self._post)

    def _guarded(self, answer: Any) -> None:
        try:
            self.server.gate.demand_here(self.headers)
            answer()
        except Refused as refused:
            self._send(refused.code, "text/plain", refused.why.encode())

    def _get(self) -> None:
        asked = self._asked()
        if token := parse_qs(asked.query).get("token"):
            self._welcome(token[0])
            return
        self.server.gate.demand_known(self.headers)
        path = asked.path.strip("/") or "index.html"
        if path in KINDS:
            self._send(200, KINDS[path], _assets()[path])
            return
        if path == PRINTED:
            self._send(200, "application/json", json.dumps(self.server.printed.all()).encode())
            return
        page = self.server.shelf.page(path)
        if page is None:
            raise Refused(404, "There is no such page.")
        self._send(200, "text/html", self.server.frame.whole(page).encode())

    def _welcome(self, token: str) -> None:
        """The cookie, and on to the first page. It is our own page that goes on: a cookie that is kept from other
        sites is not sent when the browser follows an answer to them."""
        cookie = self.server.gate.exchange(token)
        said = f"{self.server.gate.cookie}={cookie}; HttpOnly; SameSite=Strict; Path=/"
        self._send(200, "text/html", WELCOME, {"Set-Cookie": said})

    def _post(self) -> None:
        self.server.gate.demand_known(self.headers)
        self.server.gate.demand_meant(self.headers)
        if self._asked().path != "/run":
            raise Refused(404, "There is no such page.")
        command = self._body()
        words = commands.words_of(command)
        if words is None:
            raise Refused(403, "This command is not one of those that a page may run.")
        site = self.server.shelf.site
        result = commands.run(words, self.server.shelf.folder, site.secrets)
        self.server.printed.keep(" ".join(command.split()), result)
        self._send(200, "application/json", json.dumps(result).encode())

    def _asked(self) -> SplitResult:
        try:
            return urlsplit(self.path)
        except ValueError:
            raise Refused(400, "This is no address of a page.") from None

    def _body(self) -> str:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > len(str(LONGEST)) or int(length) > LONGEST:
            raise Refused(413, "This is no command.")
        return self.rfile.read(int(length)).decode("utf-8", "replace")

    def _send(self, code: int, kind: str, body: bytes, more: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in {**HEADERS, **(more or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the first request has the token in its path."""


@cache
def _assets() -> dict[str, bytes]:
    return assets()
