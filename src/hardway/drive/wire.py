"""HTTPS requests as somebody, each on a connection of its own, so that a load balancer can choose anew."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field

from hardway.io.memory import in_memory
from hardway.tools.patience import stretched

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


class Wire:
    """Several endpoints of one service: a request goes to the first that can be reached."""

    def __init__(self, endpoints: Sequence[Endpoint], identity: Identity, *, seconds: float = SECONDS) -> None:
        self.endpoints = tuple(endpoints)
        self._context = context_for(identity)
        self._headers = {"Accept": JSON, "Accept-Encoding": "identity"}
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
            try:
                with httpx2.Client(verify=self._context, trust_env=False, timeout=stretched(self._seconds)) as client:
                    said = client.request(
                        method, f"https://{endpoint}{path}", content=body or None, headers=headers, extensions=proves
                    )
                return Answer(code=said.status_code, body=said.content)
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                reason = f"{endpoint}: {str(error) or type(error).__name__}"
                if method != "GET" and not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
                    break
        return Unanswered(reason=reason)


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
