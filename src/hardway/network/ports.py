"""What a port of the load balancer does when somebody comes."""

from __future__ import annotations

import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from hardway.model.cluster import Cluster, in_url
from hardway.network.frontends import TABLE, Frontend

State = Literal["refused", "timeout", "unreachable", "closed", "silent", "not TLS", "TLS error", "answers"]
SECONDS = 5.0
DEAF: tuple[State, ...] = ("refused", "timeout", "unreachable")  # nobody listens
EMPTY: tuple[State, ...] = ("closed", "silent")  # somebody listens, and has nobody to pass it on to
_FOREIGN = (
    "WRONG_VERSION_NUMBER",
    "HTTP_REQUEST",
    "UNKNOWN_PROTOCOL",
    "PACKET_LENGTH_TOO_LONG",
    "RECORD_LAYER_FAILURE",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    frontend: Frontend
    address: str
    state: State
    status: int = 0  # HTTP
    detail: str = ""

    @property
    def place(self) -> str:
        return f"{in_url(self.address)}:{self.frontend.port}"

    @property
    def text(self) -> str:
        more = f"{self.frontend.health.path} {self.status}" if self.status and self.frontend.health.tls else self.detail
        return f"{self.state} ({more})" if more else self.state

    def as_dict(self) -> dict[str, str | int]:
        return {"frontend": self.frontend.name, "address": self.address, "port": self.frontend.port, "state": self.text}


def look(cluster: Cluster) -> list[Seen]:
    """All ports on all addresses, at the same time: a firewall that drops packets costs each the whole timeout."""
    wanted = [(row, vip) for row in TABLE for vip in dict.fromkeys(row.vips(cluster))]
    with ThreadPoolExecutor(max_workers=len(wanted)) as pool:
        return list(pool.map(lambda pair: _look(cluster, *pair), wanted))


def _look(cluster: Cluster, row: Frontend, vip: str) -> Seen:
    try:
        line = socket.create_connection((vip, row.port), timeout=SECONDS)
    except ConnectionRefusedError:
        return Seen(frontend=row, address=vip, state="refused")
    except TimeoutError:
        return Seen(frontend=row, address=vip, state="timeout")
    except OSError as error:
        return Seen(frontend=row, address=vip, state="unreachable", detail=error.strerror or str(error))
    with line:
        return _talk(cluster, row, vip, line)


def _talk(cluster: Cluster, row: Frontend, vip: str, line: socket.socket) -> Seen:
    try:
        status = _status(cluster, row, line)
    except TimeoutError:
        return Seen(frontend=row, address=vip, state="silent")
    except (ssl.SSLEOFError, ssl.SSLZeroReturnError, ConnectionError):
        return Seen(frontend=row, address=vip, state="closed")
    except ssl.SSLError as error:
        state: State = "not TLS" if error.reason in _FOREIGN else "TLS error"
        return Seen(frontend=row, address=vip, state=state, detail=error.reason or "")
    except OSError as error:
        return Seen(frontend=row, address=vip, state="closed", detail=error.strerror or "")
    return Seen(frontend=row, address=vip, state="answers" if status else "closed", status=status)


def _status(cluster: Cluster, row: Frontend, line: socket.socket) -> int:
    """The status of a GET; 1 for a handshake alone; 0 if the connection ended."""
    name = cluster.api_int_host if row.health.tls else f"console-openshift-console.apps.{cluster.domain}"
    if row.port != 80:
        line = _unverified().wrap_socket(line, server_hostname=name)
    if not row.health.tls and row.port != 80:
        return 1
    path = row.health.path if row.health.tls else "/"
    line.sendall(f"GET {path} HTTP/1.0\r\nHost: {name}\r\n\r\n".encode())
    first = line.recv(4096).split(b"\r\n")[0].split()
    return int(first[1]) if len(first) > 1 and first[0].startswith(b"HTTP/") and first[1].isdigit() else len(first)


def _unverified() -> ssl.SSLContext:
    """Nothing secret is said and nothing heard is believed: only whether somebody is there."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
