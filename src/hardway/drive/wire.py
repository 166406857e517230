"""HTTPS requests as somebody, each on a connection of its own, so that a load balancer can choose anew."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

SECONDS = 10.0
JSON = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Whom to trust, and who one is: a certificate, a token, or nobody."""

    trust: bytes  # PEM
    certificate: bytes = b""
    key: bytes = field(default=b"", repr=False)
    token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where to connect, and the name that the other side must prove; without one, the host itself."""

    host: str
    port: int
    name: str = ""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    code: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """Nobody answered. A request that changes something may have been carried out all the same."""

    reason: str


class _Connection(http.client.HTTPSConnection):
    """Connects to an address and asks for a name that need not resolve here."""

    def __init__(self, endpoint: Endpoint, context: ssl.SSLContext, seconds: float) -> None:
        super().__init__(endpoint.host, endpoint.port, context=context, timeout=seconds)
        self._plain, self._wrapper = endpoint, context

    def connect(self) -> None:
        line = socket.create_connection((self._plain.host, self._plain.port), self.timeout)
        self.sock = self._wrapper.wrap_socket(line, server_hostname=self._plain.name or self._plain.host)


class Wire:
    """Several endpoints of one service: a request goes to the first that can be reached."""

    def __init__(self, endpoints: Sequence[Endpoint], identity: Identity, *, seconds: float = SECONDS) -> None:
        self.endpoints = tuple(endpoints)
        self._context = context_for(identity)
        self._headers = {"Authorization": f"Bearer {identity.token}"} if identity.token else {}
        self._seconds = seconds

    def request(self, method: str, path: str, body: bytes = b"", content_type: str = JSON) -> Answer | Unanswered:
        """A second endpoint is tried only where the first was certainly not reached, or where nothing can change."""
        reason = "no endpoint is known"
        for endpoint in self.endpoints:
            sent = False
            try:
                with self._connected(endpoint) as connection:
                    sent = True
                    return self._exchange(connection, method, path, body, content_type)
            except (OSError, http.client.HTTPException) as error:
                reason = f"{endpoint}: {error or type(error).__name__}"
                if sent and method != "GET":
                    break
        return Unanswered(reason=reason)

    @contextmanager
    def _connected(self, endpoint: Endpoint) -> Iterator[_Connection]:
        connection = _Connection(endpoint, self._context, self._seconds)
        try:
            connection.connect()
            yield connection
        finally:
            connection.close()

    def _exchange(self, connection: _Connection, method: str, path: str, body: bytes, content_type: str) -> Answer:
        headers: Mapping[str, str] = {**self._headers, "Accept": JSON}
        if body:
            headers = {**headers, "Content-Type": content_type}
        connection.request(method, path, body=body or None, headers=dict(headers))
        response = connection.getresponse()
        return Answer(code=response.status, body=response.read())


def context_for(identity: Identity) -> ssl.SSLContext:
    """Only the given signers count, none of the machine's; the key goes through memory and never onto a disk."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_verify_locations(cadata=identity.trust.decode())
    if identity.certificate:
        with _in_memory(identity.certificate + b"\n" + identity.key) as path:
            context.load_cert_chain(path)
    return context


def shown(endpoint: Endpoint, *, seconds: float = SECONDS) -> bytes:
    """The certificate that a listener shows, in DER, believed or not; without a name, what it shows to nobody."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with (
        socket.create_connection((endpoint.host, endpoint.port), seconds) as line,
        context.wrap_socket(line, server_hostname=endpoint.name or None) as wrapped,
    ):
        return wrapped.getpeercert(binary_form=True) or b""


@contextmanager
def _in_memory(content: bytes) -> Iterator[str]:
    handle = os.memfd_create("pair", os.MFD_CLOEXEC)
    try:
        os.write(handle, content)
        yield f"/proc/self/fd/{handle}"
    finally:
        os.close(handle)
