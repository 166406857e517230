"""Asks one name server one question, over UDP and, if the answer does not fit, over TCP."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from hardway.model.cluster import in_url
from hardway.model.entropy import Entropy
from hardway.model.errors import ConfigError
from hardway.network.dns.answer import Answer, value_of
from hardway.network.dns.records import Kind

SECONDS = 2.0
TRIES = 2


class NoAnswer(Exception):
    """The server cannot be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    address: str
    port: int = 53

    def __str__(self) -> str:
        return self.address if self.port == 53 else f"{in_url(self.address)}:{self.port}"

    @property
    def family(self) -> socket.AddressFamily:
        return socket.AF_INET6 if ip_address(self.address).version == 6 else socket.AF_INET


def parse_server(text: str) -> Server:
    """ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT."""
    host, _, port = text.rpartition(":") if text.count(":") == 1 or "]:" in text else (text, "", "53")
    try:
        address = ip_address(host.strip("[]"))
        return Server(address=str(address), port=_port(port))
    except ValueError:
        raise ConfigError(
            f"{text!r} is not an address of a name server.\n"
            "    fix: write 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53"
        ) from None


def _port(text: str) -> int:
    number = int(text)
    if not 0 < number < 65536:
        raise ValueError(text)
    return number


def system_servers(file: Path = Path("/etc/resolv.conf")) -> list[Server]:
    """The servers this machine asks itself."""
    try:
        words = [line.split() for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        words = []
    found = [w[1] for w in words if len(w) > 1 and w[0] == "nameserver"]
    if not found:
        raise ConfigError(f"{file} names no name server.\n    fix: give one with --dns ADDRESS")
    return [Server(address=address.partition("%")[0]) for address in found]


def ask(server: Server, name: str, kind: Kind, entropy: Entropy) -> Answer:
    """Its answer; NoAnswer, with the reason, if there is none after two tries."""
    from dns.exception import DNSException, Timeout

    reason = ""
    for _ in range(TRIES):
        number = int.from_bytes(entropy.random(f"dns/{name}/{kind}", 2), "big")
        try:
            return _answer(server, number, name, kind)
        except Timeout:
            reason = "no answer in time"
        except EOFError:
            reason = "the connection ended in the middle of the answer"
        except (OSError, DNSException) as error:
            reason = str(error)
    raise NoAnswer(reason)


def _answer(server: Server, number: int, name: str, kind: Kind) -> Answer:
    """Packets that do not answer this question are passed over. A connected socket hears of a closed port."""
    from dns.message import make_query
    from dns.query import udp_with_fallback
    from dns.rcode import to_text

    query = make_query(name, kind, id=number)
    with socket.socket(server.family, socket.SOCK_DGRAM) as line:
        line.setblocking(False)
        line.connect((server.address, server.port))
        found, _ = udp_with_fallback(query, server.address, SECONDS, server.port, udp_sock=line, ignore_errors=True)
    wanted = query.question[0].rdtype
    values = [value_of(data) for records in found.answer if records.rdtype == wanted for data in records]
    return Answer(code=to_text(found.rcode()), values=tuple(sorted(values)))
