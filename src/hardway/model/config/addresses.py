"""Addresses and networks as Go's net package reads them."""

from __future__ import annotations

from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
    ip_address,
    ip_interface,
)

Address = IPv4Address | IPv6Address
Interface = IPv4Interface | IPv6Interface
Network = IPv4Network | IPv6Network


def parse_address(text: str) -> Address | None:
    """An address without a zone; IPv4 in IPv6 dress is IPv4."""
    if "%" in text:
        return None
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def parse_cidr(text: str) -> Interface | None:
    """An address and a length in digits, host bits kept; IPv4 in IPv6 dress is IPv4."""
    address, slash, length = text.partition("/")
    if not (slash and length.isascii() and length.isdigit()) or len(length) > 9 or "%" in address:
        return None
    try:
        network = ip_interface(f"{address}/{int(length)}")
    except ValueError:
        return None
    mapped = network.ip.ipv4_mapped if isinstance(network, IPv6Interface) else None
    if mapped and network.network.prefixlen >= 96:
        return IPv4Interface((mapped, network.network.prefixlen - 96))
    return network


def overlap(one: Interface | Network, other: Interface | Network) -> bool:
    first = one.network if isinstance(one, IPv4Interface | IPv6Interface) else one
    second = other.network if isinstance(other, IPv4Interface | IPv6Interface) else other
    if isinstance(first, IPv4Network):
        return isinstance(second, IPv4Network) and first.overlaps(second)
    return isinstance(second, IPv6Network) and first.overlaps(second)


def contains(network: Interface | Network, address: Address) -> bool:
    outer = network.network if isinstance(network, IPv4Interface | IPv6Interface) else network
    return address.version == outer.version and address in outer
