"""DER, read strictly: one way to write each value, and no byte left over."""

from __future__ import annotations

from dataclasses import dataclass

BOOLEAN, INTEGER, BITS, OCTETS, OID = 0x01, 0x02, 0x03, 0x04, 0x06
SEQUENCE, SET = 0x30, 0x31
MANY_BYTES = 0x80  # in a length: that many bytes of length follow
LONGEST_LENGTH = 3


class NotDer(Exception):
    """The bytes are no DER, or not of the expected shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    tag: int
    content: bytes
    raw: bytes  # with tag and length

    def inside(self, tag: int) -> tuple[Element, ...]:
        """The parts of a constructed value, which must be of that kind."""
        return elements(self.of(tag))

    def of(self, tag: int) -> bytes:
        if self.tag != tag:
            raise NotDer
        return self.content


def elements(data: bytes) -> tuple[Element, ...]:
    """All of them, up to the last byte."""
    found = []
    while data:
        element = _first(data)
        found.append(element)
        data = data[len(element.raw) :]
    return tuple(found)


def only(data: bytes) -> Element:
    """The one value that the bytes are."""
    found = elements(data)
    if len(found) != 1:
        raise NotDer
    return found[0]


def _first(data: bytes) -> Element:
    if len(data) < 2 or data[0] & 0x1F == 0x1F:  # a tag of several bytes: nothing here has one
        raise NotDer
    size, start = data[1], 2
    if size >= MANY_BYTES:
        count = size - MANY_BYTES
        start += count
        size = int.from_bytes(data[2:start])
        if not 0 < count <= LONGEST_LENGTH or len(data) < start or size < max(MANY_BYTES, 1 << 8 * (count - 1)):
            raise NotDer
    if len(data) < start + size:
        raise NotDer
    return Element(tag=data[0], content=data[start : start + size], raw=data[: start + size])


def dotted(content: bytes) -> str:
    """An object identifier as people write it."""
    if not content or content[-1] & 0x80:
        raise NotDer
    arcs, value, begins = [], 0, True
    for byte in content:
        if begins and byte == 0x80:  # a leading zero
            raise NotDer
        value, begins = value << 7 | byte & 0x7F, byte < 0x80
        if begins:
            arcs.append(value)
            value = 0
    first = min(arcs[0] // 40, 2)
    return ".".join(str(arc) for arc in (first, arcs[0] - 40 * first, *arcs[1:]))
