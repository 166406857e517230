"""Other values for a field that may be valid too: the configuration's own rules decide which are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_network
from itertools import islice

from hardway.model.config.table import FieldRow

MOST = 24
"""Values that are tried for one field. One and none are among them for numbers: a cluster with one master, or without
workers, differs in more than its machines."""
PEM_END = "-----END"


def others(row: FieldRow, value: object) -> Iterable[object]:
    """The likeliest first."""
    return islice((other for other in _all(row, value) if other != value), MOST)


def _all(row: FieldRow, value: object) -> Iterator[object]:
    if row.values:
        yield from row.values
    elif row.kind == "boolean":
        yield value is not True
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (value + 1, 0, 1, value - 1, value + 2)
    elif isinstance(value, str):
        yield from _texts(value)


def _texts(value: str) -> Iterator[str]:
    yield from _networks(value)
    try:
        yield from (str(ip_address(value) + step) for step in (1, -1, 20))
    except ValueError:
        yield from _respelt(value)


def _networks(value: str) -> Iterator[str]:
    """Its neighbours, near and far: one may overlap another network of the cluster."""
    try:
        network = ip_network(value)
    except ValueError:
        return
    if "/" in value:
        for step in (1, -1, 2, 16):
            start = int(network.network_address) + step * network.num_addresses
            if 0 <= start < 1 << network.max_prefixlen:
                yield f"{type(network.network_address)(start)}/{network.prefixlen}"


def _respelt(value: str) -> Iterator[str]:
    """With one letter or digit replaced by its neighbour, from the end on; of PEM, within the last block."""
    end = value.rfind(PEM_END) if PEM_END in value else len(value)
    for at in reversed(range(end)):
        for step in (1, -1):
            other = chr(ord(value[at]) + step)
            if value[at].isascii() and value[at].isalnum() and other.isalnum():
                yield value[:at] + other + value[at + 1 :]
