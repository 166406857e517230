"""HTTPS requests as somebody, each on a connection of its own, so that a load balancer can choose anew."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Timer
from typing import Any

from hardway.io.harmless import one_line
from hardway.io.memory import in_memory
from hardway.tools.patience import stretched

SECONDS = 10.0
JSON = "application/json"
LARGEST = 64 << 20  # bytes of an answer: a list of six thousand pods is smaller, and six are read side by side
TURNS = 10  # of the limit for one read: so long may a whole answer take


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


class _Refused(Exception):
    """There is an answer, and it is not read to its end."""


class Wire:
    """Several endpoints of one service: a request goes to the first that can be reached."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        identity: Identity,
        *,
        seconds: float = SECONDS,
        accept: str = JSON,
        host: str = "",  # to be asked for, where one server answers for many names
    ) -> None:
        self.endpoints = tuple(endpoints)
        self._context = context_for(identity)
        self._headers = {"Accept": accept, "Accept-Encoding": "identity"}
        if host:
            self._headers["Host"] = host
        if identity.token:
            self._headers["Authorization"] = f"Bearer {identity.token}"
        self._seconds = seconds

    def request(self, method: str, path: str, body: bytes = b"", content_type: str = JSON) -> Answer | Unanswered:
        """A second endpoint is tried only where the first was certainly not reached, or where nothing can change."""
        import httpx2

        reason = "no endpoint is known"
        headers = {**self._headers, "Content-Type": content_type} if body else self._headers
        for endpoint in self.endpoints:
            # The endpoint's name need not resolve here: the connection goes to its address.
            proves = {"sni_hostname": endpoint.name or endpoint.host}
            limit, url = stretched(self._seconds), f"https://{endpoint}{path}"
            try:
                with (
                    _ended_after(limit * TURNS) as watch,
                    httpx2.Client(verify=self._context, trust_env=False, timeout=limit) as client,
                    client.stream(
                        method, url, content=body or None, headers=headers, extensions={**proves, "trace": watch}
                    ) as said,
                ):
                    answer = Answer(code=said.status_code, body=_whole(said.headers, said.iter_raw()))
                    if watch.ended:  # an answer that does not tell its length looks complete
                        raise _Refused
                    return answer
            except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, _Refused) as error:
                reason = f"{endpoint}: {f'no whole answer in {limit * TURNS:.0f} s' if watch.ended else _said(error)}"
                if method != "GET" and not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
                    break
        return Unanswered(reason=reason)


def _said(error: Exception) -> str:
    """Without the request's own content: the library quotes a header that it cannot send, and one is a credential."""
    import httpx2

    if isinstance(error, httpx2.LocalProtocolError | httpx2.InvalidURL | ValueError):
        return "the request cannot be sent: its address or a header is malformed"
    return one_line(str(error)) or type(error).__name__


def _whole(headers: Mapping[str, str], chunks: Iterable[bytes]) -> bytes:
    """As it was sent: what is compressed could become any size."""
    if headers.get("content-encoding", "identity") != "identity":
        raise _Refused("the answer is compressed, which was not asked for")
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > LARGEST:
            raise _Refused(f"the answer is larger than {LARGEST >> 20} MiB")
    return bytes(body)


class _Watch:
    """Learns the connection of a request, and ends it: each single read of a slow answer is quick enough."""

    def __init__(self) -> None:
        self.ended = False
        self._line: socket.socket | None = None

    def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        if event == "connection.start_tls.complete":
            self._line = info["return_value"].get_extra_info("socket")
            if self.ended:
                self.end()

    def end(self) -> None:
        self.ended = True
        if self._line is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._line, socket.SHUT_RDWR)  # below TLS: its own would wait


@contextmanager
def _ended_after(seconds: float) -> Iterator[_Watch]:
    watch = _Watch()
    timer = Timer(seconds, watch.end)
    timer.daemon = True
    timer.start()
    try:
        yield watch
    finally:
        timer.cancel()


def context_for(identity: Identity) -> ssl.SSLContext:
    """Only the given signers count, none of the machine's; the key goes through memory and never onto a disk."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_verify_locations(cadata=identity.trust.decode())
    if identity.certificate:
        with in_memory(identity.certificate + b"\n" + identity.key) as path:
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
