"""DNS on the wire, as much as a check needs: one question out, the answers in (RFC 1035, 3596, 2782)."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from struct import error as StructError
from struct import pack, unpack_from

from hardway.network.dns.records import Kind

TYPES: dict[str, int] = {"A": 1, "PTR": 12, "AAAA": 28, "SRV": 33}
CODES = {0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED"}
_RECURSION_DESIRED, _RESPONSE, _TRUNCATED = 0x0100, 0x8000, 0x0200
_MAX_JUMPS = 64


class BadMessage(Exception):
    """Not an answer to what was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    code: str
    values: tuple[str, ...] = ()  # sorted; of the type that was asked for
    truncated: bool = False


def question(number: int, name: str, kind: Kind) -> bytes:
    labels = [label.encode("ascii") for label in name.rstrip(".").split(".")]
    encoded = b"".join(bytes([len(label)]) + label for label in labels)
    return pack(">6H", number, _RECURSION_DESIRED, 1, 0, 0, 0) + encoded + b"\0" + pack(">2H", TYPES[kind], 1)


def answer(message: bytes, number: int, name: str, kind: Kind) -> Answer:
    """Read the answer to a question; anything else is BadMessage, so a stray or forged packet changes nothing."""
    try:
        return _answer(message, number, name, kind)
    except (StructError, IndexError, UnicodeDecodeError, ValueError) as error:
        raise BadMessage(f"the answer cannot be read: {error}") from None


def _answer(message: bytes, number: int, name: str, kind: Kind) -> Answer:
    found, flags, questions, count = unpack_from(">4H", message)
    if found != number or not flags & _RESPONSE or questions != 1:
        raise BadMessage("not an answer to this question")
    asked, place = _name(message, 12)
    if asked.lower() != name.rstrip(".").lower() or unpack_from(">2H", message, place) != (TYPES[kind], 1):
        raise BadMessage("an answer to another question")
    place += 4
    values = []
    for _ in range(count):
        _, place = _name(message, place)
        type_, _, _, length = unpack_from(">2HIH", message, place)
        place += 10
        if type_ == TYPES[kind]:
            values.append(_value(message, place, length, kind))
        place += length
    code = CODES.get(flags & 15, f"code {flags & 15}")
    return Answer(code=code, values=tuple(sorted(values)), truncated=bool(flags & _TRUNCATED))


def _value(message: bytes, place: int, length: int, kind: Kind) -> str:
    if kind in ("A", "AAAA"):
        return str(ip_address(message[place : place + length]))
    if kind == "PTR":
        return _name(message, place)[0].lower()
    priority, weight, port = unpack_from(">3H", message, place)
    return f"{priority} {weight} {port} {_name(message, place + 6)[0].lower()}"


def _name(message: bytes, place: int) -> tuple[str, int]:
    """A name and where it ends; a pointer continues it elsewhere, and pointers in a circle are refused."""
    labels: list[str] = []
    end = 0
    for _ in range(_MAX_JUMPS * 2):
        size = message[place]
        if size == 0:
            return ".".join(labels), end or place + 1
        if size >= 0xC0:
            end = end or place + 2
            place = unpack_from(">H", message, place)[0] & 0x3FFF
            continue
        labels.append(message[place + 1 : place + 1 + size].decode("ascii"))
        place += 1 + size
    raise BadMessage("a name without an end")
