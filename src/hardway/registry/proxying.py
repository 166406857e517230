"""Which proxy a request goes through: the rules of Go's clients, so that nodes and this program go the same way."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from hardway.model.cluster import Proxy

_PORTS = {"http": 80, "https": 443}


def from_environment(environment: Mapping[str, str]) -> Proxy:
    """As curl, skopeo and podman read it."""
    http, https, none = (
        environment.get(name) or environment.get(name.lower(), "") for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
    )
    return Proxy(http=http, https=https, no_proxy=none)


def proxy_for(url: str, proxy: Proxy) -> str | None:
    """The proxy's own URL; None for the direct way."""
    parts = urlsplit(url)
    chosen = proxy.https if parts.scheme == "https" else proxy.http
    host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
    if not chosen or _is_loopback(host) or any(_excludes(e, host, port) for e in proxy.no_proxy.split(",")):
        return None
    return chosen if "://" in chosen else f"http://{chosen}"


def _is_loopback(host: str) -> bool:
    address = _address(host)
    return host == "localhost" or bool(address and address.is_loopback)


def _excludes(entry: str, host: str, port: int) -> bool:
    """`*`, an address, a network, a domain with all below it, `.domain` for those below alone; any with a port."""
    entry = entry.strip().lower()
    if entry in ("", "*"):
        return entry == "*"
    if "/" in entry:
        return _in_network(entry, host)
    name, number = _split_port(entry)
    if number and number != port:
        return False
    address = _address(host)
    if address:
        return address == _address(name)
    name = name.removeprefix("*")
    return host.lower() == name or host.lower().endswith(name if name.startswith(".") else f".{name}")


def _split_port(entry: str) -> tuple[str, int]:
    if _address(entry):
        return entry, 0
    name, _, port = entry.rpartition(":")
    return (name.strip("[]"), int(port)) if name and port.isdigit() else (entry.strip("[]"), 0)


def _in_network(entry: str, host: str) -> bool:
    address = _address(host)
    try:
        return bool(address) and address in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return False


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
