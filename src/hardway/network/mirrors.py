"""What a mirror of the release's images shows to a client here: whether it uses TLS, and which certificate it has."""

from __future__ import annotations

import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import ip_address

from cryptography import x509

from hardway.model.cluster import Cluster
from hardway.tools.patience import stretched

SECONDS = 5.0
HTTPS = 443
LONGEST = 253  # characters of a name in DNS
ASKED = b"GET /v2/ HTTP/1.0\r\n\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirror:
    """A registry, as pull addresses begin with it."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    mirror: Mirror
    silent: str = ""  # why there is no connection
    plain: bool = False  # it answers in plain HTTP
    broken: str = ""  # why the handshake fails
    names: tuple[str, ...] | None = None  # of its certificate; None: it was not seen
    distrust: str = ""  # why its certificate is not trusted here, whatever its names are

    @property
    def named(self) -> bool:
        return any(_fits(name, self.mirror.host) for name in self.names or ())


def mirrors(cluster: Cluster) -> tuple[Mirror, ...]:
    sources = (*cluster.digest_sources, *cluster.content_sources)
    places = dict.fromkeys(name.partition("/")[0] for source in sources for name in source.mirrors)
    return tuple(map(_mirror, places))


def _mirror(place: str) -> Mirror:
    host, colon, port = place.rpartition(":")
    return Mirror(host=host, port=int(port)) if colon and port.isdecimal() else Mirror(host=place, port=HTTPS)


def look(cluster: Cluster) -> list[Shown]:
    """All of them at the same time."""
    found = mirrors(cluster)
    with ThreadPoolExecutor(max_workers=max(1, len(found))) as pool:
        return list(pool.map(lambda mirror: _look(mirror, cluster.trust_bundle), found))


def _look(mirror: Mirror, bundle: str) -> Shown:
    try:
        names = _names(mirror)
    except ssl.SSLError as error:
        return Shown(mirror=mirror, plain=_is_plain(mirror), broken=error.reason or "the handshake fails")
    except OSError as error:
        return Shown(mirror=mirror, silent=error.strerror or str(error))
    except UnicodeError:
        return Shown(mirror=mirror, silent="a part of its name has more than 63 characters")
    return Shown(mirror=mirror, names=names, distrust=_distrust(mirror, bundle))


def _names(mirror: Mirror) -> tuple[str, ...]:
    """The subject alternative names: nobody reads the Common Name any more."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with _connected(mirror) as line, context.wrap_socket(line, server_hostname=mirror.host) as secure:
        given = secure.getpeercert(binary_form=True) or b""
    try:
        found = x509.load_der_x509_certificate(given).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (x509.ExtensionNotFound, ValueError):
        return ()
    names = [name[:LONGEST] for name in found.value.get_values_for_type(x509.DNSName)]
    return (*names, *map(str, found.value.get_values_for_type(x509.IPAddress)))


def _distrust(mirror: Mirror, bundle: str) -> str:
    """As a node does: the system's authorities, and those of additionalTrustBundle."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # Go is not so strict
    try:
        if bundle.strip():
            context.load_verify_locations(cadata=bundle)
        with _connected(mirror) as line, context.wrap_socket(line, server_hostname=mirror.host):
            return ""
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    except OSError:
        return ""


def _is_plain(mirror: Mirror) -> bool:
    try:
        with _connected(mirror) as line:
            line.sendall(ASKED)
            return line.recv(16).startswith(b"HTTP/")
    except OSError:
        return False


def _connected(mirror: Mirror) -> socket.socket:
    return socket.create_connection((mirror.host.strip("[]"), mirror.port), timeout=stretched(SECONDS))


def _fits(name: str, host: str) -> bool:
    bare = host.strip("[]").lower()
    try:
        return ip_address(bare) == ip_address(name)
    except ValueError:
        known = name.lower()
        return known == bare or (known.startswith("*.") and known[2:] == bare.partition(".")[2])
