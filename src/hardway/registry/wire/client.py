"""HTTP as registries need it: redirects that carry no secret to others, proxies, a private CA, errors that say what."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urljoin, urlsplit

from hardway.io import trace
from hardway.model.errors import ConfigError
from hardway.registry import proxying
from hardway.registry.access import Access
from hardway.registry.errors import Refused, TooLarge
from hardway.registry.wire.errors import proxy_denies, translated

if TYPE_CHECKING:
    import httpx2

CONNECT_SECONDS, READ_SECONDS = 10.0, 60.0
MOST_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}


class Wire:
    """Connections that are kept for as long as an image is read; `received` counts the bytes of all bodies."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._proxy = access.proxy or proxying.from_environment(os.environ)
        self._clients: dict[tuple[str | None, bool], httpx2.Client] = {}
        self._context: ssl.SSLContext | None = None
        self.received = 0

    def close(self) -> None:
        for client in self._clients.values():
            client.close()

    @contextmanager
    def get(self, url: str, headers: Mapping[str, str], authorization: str = "") -> Iterator[httpx2.Response]:
        """The answer, its body still to be read. Authorization goes to the host that was asked, to no other."""
        import httpx2

        asked = origin(url)
        for _ in range(MOST_REDIRECTS + 1):
            secret = {"Authorization": authorization} if authorization and origin(url) == asked else {}
            proxy = proxying.proxy_for(url, self._proxy)
            trace.step("fetch", f"{urlsplit(url).scheme}://{place(url)}{urlsplit(url).path}")
            try:
                with self._client(proxy, urlsplit(url).scheme).stream(
                    "GET", url, headers={**headers, **secret}
                ) as response:
                    if response.status_code == 407:
                        raise proxy_denies(place(url), proxy, 407)
                    if response.status_code not in _REDIRECTS:
                        yield response
                        return
                    url = self._next(url, response.headers.get("Location", ""))
            except httpx2.TransportError as error:
                raise translated(error, url, proxy) from None
            except httpx2.InvalidURL:
                raise Refused(
                    f"{place(url)}: cannot be requested", fix="check the reference and the proxy's URL"
                ) from None
        raise Refused(f"{place(url)}: more than {MOST_REDIRECTS} redirects", fix="ask the operator of the registry")

    def chunks(self, response: httpx2.Response) -> Iterator[bytes]:
        """The body as it is on the wire."""
        for chunk in response.iter_raw():
            self.received += len(chunk)
            yield chunk

    def body(self, response: httpx2.Response, most: int, what: str) -> bytes:
        """A small body, whole; a large one is not even read to its end."""
        parts, size = [], 0
        for chunk in self.chunks(response):
            size += len(chunk)
            if size > most:
                raise TooLarge(f"{what}: larger than {most} bytes", fix="check that the name is that of an image")
            parts.append(chunk)
        return b"".join(parts)

    def _next(self, url: str, location: str) -> str:
        there = split(location, base=url)
        downgrade = there is not None and there.scheme == "http" and origin(url)[0] == "https"
        if there is None or (downgrade and there.netloc not in self._access.plain_http):
            to = f"{place(there.geturl())}, which has no TLS" if there else "something that is not an address"
            fix = "let the registry redirect to https, or let it serve its blobs itself"
            raise Refused(f"{place(url)}: redirects to {to}; that is not followed", fix=fix)
        return there.geturl()

    def _client(self, proxy: str | None, scheme: str) -> httpx2.Client:
        """Reading the system's authorities takes time: where nobody speaks TLS, none is trusted instead."""
        import httpx2

        tls = scheme == "https" or (proxy or "").startswith("https:")
        if (proxy, tls) not in self._clients:
            if tls:
                self._context = self._context or trusting(self._access.trust_bundle)
            context = self._context or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            self._clients[proxy, tls] = httpx2.Client(
                verify=context,
                proxy=_proxy(proxy, context) if proxy else None,
                trust_env=False,
                timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
                headers={"User-Agent": "hardway", "Accept-Encoding": "identity"},
            )
        return self._clients[proxy, tls]


def _proxy(url: str, context: ssl.SSLContext) -> httpx2.Proxy:
    import httpx2

    scheme = urlsplit(url).scheme
    if scheme not in ("http", "https"):
        raise Refused(f"{place(url)}: a proxy of the kind {scheme} is not supported", fix="name an http or https proxy")
    return httpx2.Proxy(url, ssl_context=context if scheme == "https" else None)


def trusting(bundle: str) -> ssl.SSLContext:
    """The system's authorities, and those of the bundle."""
    import httpx2

    context = httpx2.create_ssl_context()
    if bundle.strip():
        try:
            context.load_verify_locations(cadata=bundle)
        except (ssl.SSLError, ValueError):
            raise ConfigError(
                "additionalTrustBundle holds no certificate that can be read\n"
                "    fix: put PEM certificates there (-----BEGIN CERTIFICATE-----)"
            ) from None
    return context


def split(location: str, base: str = "") -> SplitResult | None:
    """The parts of an address that someone else gave, if it is one of HTTP."""
    try:
        parts = urlsplit(urljoin(base, location))
        usable = bool(location and parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if usable and parts.scheme in ("http", "https") else None


def origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.rpartition("@")[2].lower()


def place(url: str) -> str:
    """The part of a URL that may be shown: a query can hold a signature, and user information a password."""
    return origin(url)[1]
