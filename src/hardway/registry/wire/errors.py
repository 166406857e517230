"""What the transport's errors mean to whoever asked for an image."""

from __future__ import annotations

import os
import socket
import ssl
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hardway.registry.errors import Interrupted, ProxyRefused, Refused, RegistryError, Unreachable, Untrusted

if TYPE_CHECKING:
    import httpx2

_OTHER_NAME = (62, 64)  # OpenSSL: the certificate is for another name, or another address
_NOT_NOW = (9, 10)  # not yet valid, expired


def translated(error: httpx2.TransportError, url: str, proxy: str | None) -> RegistryError:
    import httpx2

    host = urlsplit(url).netloc.rpartition("@")[2]
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _untrusted(host, cause)
    if any(isinstance(c, ssl.SSLError) for c in causes):
        return _no_tls(host, proxy)
    if isinstance(error, httpx2.ProxyError):
        return _proxy_said(host, proxy, str(error))
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return _unreachable(host, proxy, causes, isinstance(error, httpx2.ConnectTimeout))
    if isinstance(error, httpx2.UnsupportedProtocol | httpx2.LocalProtocolError) or "location header" in str(error):
        return Refused(
            f"{host}: cannot be requested, or redirects to something that is not an address",
            fix="check the name and the proxy",
        )
    silent = isinstance(error, httpx2.TimeoutException)
    said = "fell silent" if silent else "broke the connection"
    return Interrupted(f"{host}: {said}", fix="run the same command again to continue")


def proxy_denies(host: str, proxy: str | None, status: int) -> ProxyRefused:
    fix = "put user and password into the proxy's URL" if status == 407 else "have the proxy allow it, or use noProxy"
    return ProxyRefused(f"{host}: the proxy {_shown(proxy)} answers {status}", fix=fix)


def _proxy_said(host: str, proxy: str | None, message: str) -> RegistryError:
    """The answer to CONNECT: gateway errors mean that the proxy does not reach the host either."""
    status = int(message[:3]) if message[:3].isdigit() else 0
    if status >= 500:
        return Unreachable(f"{host}: the proxy {_shown(proxy)} cannot reach it ({status})", fix=_check(host, proxy))
    return proxy_denies(host, proxy, status)


def _unreachable(host: str, proxy: str | None, causes: list[BaseException], slow: bool) -> Unreachable:
    through = f" through the proxy {_shown(proxy)}" if proxy else ""
    return Unreachable(f"{host}: cannot be reached{through} ({_reason(causes, slow)})", fix=_check(host, proxy))


def _reason(causes: list[BaseException], slow: bool) -> str:
    for cause in causes:
        if isinstance(cause, socket.gaierror):
            return "its name does not resolve"
        if isinstance(cause, OSError) and cause.errno is not None and cause.errno > 0:
            return os.strerror(cause.errno)
    return "no answer" if slow else "no connection"


def _untrusted(host: str, cause: ssl.SSLCertVerificationError) -> Untrusted:
    if cause.verify_code in _OTHER_NAME:
        fix = "use a name that the certificate holds, or give the server one for this name"
    elif cause.verify_code in _NOT_NOW:
        fix = "renew the server's certificate; if it is valid, set this machine's clock"
    else:
        fix = "put the CA that signed it into additionalTrustBundle"
    return Untrusted(f"{host}: its certificate is not trusted ({cause.verify_message.rstrip('.')})", fix=fix)


def _no_tls(host: str, proxy: str | None) -> Refused:
    via = f" (or the proxy {_shown(proxy)})" if proxy else ""
    fix = "check the port; name a registry without TLS in insecureRegistries or with --insecure-registry"
    return Refused(f"{host}{via}: does not use TLS", fix=fix)


def _check(host: str, proxy: str | None) -> str:
    if proxy:
        return f"check the proxy settings, or add {host.rpartition(':')[0] or host} to noProxy"
    return "check the name, the network and, behind a proxy, the proxy settings"


def _shown(proxy: str | None) -> str:
    return urlsplit(proxy or "").netloc.rpartition("@")[2]


def _causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
