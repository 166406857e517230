"""Which address of a network is whose.

Gateway .1, API .10, ingress .11, bootstrap .100, masters from .101, workers from .110, or right after the masters when
there are more than nine. A network too small for that (under 256 addresses) is filled from its start.
In IPv6 the same digits are used as they are written: master-0 is ::101, which is host number 0x101.
"""

from __future__ import annotations

from typing import NamedTuple

from hardway.model.cluster import Network, Role
from hardway.model.config.addresses import Address


class Layout(NamedTuple):
    gateway: int
    api: int
    ingress: int
    bootstrap: int
    first_master: int
    first_worker: int

    def number(self, role: Role, index: int) -> int:
        first = {"bootstrap": self.bootstrap, "master": self.first_master, "worker": self.first_worker}
        return first[role] + index


def layout_for(network: Network, masters: int) -> Layout:
    roomy = network.num_addresses >= (256 if network.version == 4 else 0x1000)
    if roomy:
        return Layout(1, 10, 11, 100, 101, max(110, 101 + masters))
    return Layout(1, 2, 3, 4, 5, 5 + masters)


def address_at(network: Network, number: int) -> Address | None:
    """The address with that number, or None when the network ends before it."""
    offset = number if network.version == 4 else int(str(number), 16)
    last = network.num_addresses - (2 if network.version == 4 else 1)
    return network.network_address + offset if offset <= last else None
