"""Asks one name server one question, over UDP and, if the answer does not fit, over TCP."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from struct import pack, unpack

from hardway.model.cluster import in_url
from hardway.model.entropy import Entropy
from hardway.model.errors import ConfigError
from hardway.network.dns.records import Kind
from hardway.network.dns.wire import Answer, BadMessage, answer, question

SECONDS = 2.0
TRIES = 2
_STRAYS = 8  # packets that are no answer to us and are passed over


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
            f"{text!r} is no address of a name server.\n    fix: write 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53"
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
    reason = ""
    for _ in range(TRIES):
        number = int.from_bytes(entropy.random(f"dns/{name}/{kind}", 2), "big")
        try:
            found = _over_udp(server, number, name, kind)
            return _over_tcp(server, number, name, kind) if found.truncated else found
        except (OSError, BadMessage) as error:
            reason = "no answer in time" if isinstance(error, TimeoutError) else str(error)
    raise NoAnswer(reason)


def _over_udp(server: Server, number: int, name: str, kind: Kind) -> Answer:
    with socket.socket(server.family, socket.SOCK_DGRAM) as line:
        line.settimeout(SECONDS)
        line.connect((server.address, server.port))
        line.send(question(number, name, kind))
        for _ in range(_STRAYS):
            try:
                return answer(line.recv(65535), number, name, kind)
            except BadMessage:
                continue
    raise BadMessage("only packets that answer another question")


def _over_tcp(server: Server, number: int, name: str, kind: Kind) -> Answer:
    with socket.create_connection((server.address, server.port), timeout=SECONDS) as line:
        text = question(number, name, kind)
        line.sendall(pack(">H", len(text)) + text)
        (size,) = unpack(">H", _exactly(line, 2))
        return answer(_exactly(line, size), number, name, kind)


def _exactly(line: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = line.recv(size - len(parts))
        if not part:
            raise BadMessage("the connection ended in the middle of the answer")
        parts += part
    return bytes(parts)
