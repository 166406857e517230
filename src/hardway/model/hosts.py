"""hosts.yaml: what the machines are called and where they are. What it does not say is derived from install-config."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hardway.lines.sources import source
from hardway.model.bmc import ROWS as BMCS
from hardway.model.bmc import Bmc, read_bmc
from hardway.model.config.addresses import Address, parse_address
from hardway.model.config.names import is_subdomain
from hardway.model.config.reader import read
from hardway.model.config.reading import Reading
from hardway.model.config.table import FieldRow, Kind, shape_of
from hardway.model.hypervisors import ROWS as HYPERVISORS
from hardway.model.hypervisors import Hypervisor, read_hypervisors
from hardway.model.why import because

_DISK = r"/dev/[A-Za-z0-9_.:+@=-]+(/[A-Za-z0-9_.:+@=-]+)*"  # nothing that a shell reads
_MAC = r"[0-9a-f]{2}(:[0-9a-f]{2}){5}"
_SOURCE = "this tool's plan; " + source("machine-config-operator", "templates (node-valid-hostname)")


def _row(path: str, kind: Kind, what: str, *, readers: str, breaks: str) -> FieldRow:
    why = because(what, readers=readers, breaks=breaks, source=_SOURCE)
    return FieldRow(file="hosts.yaml", path=path, kind=kind, why=why)


def _addresses(path: str, what: str, *, readers: str, breaks: str) -> tuple[FieldRow, FieldRow]:
    return (
        _row(path, "list", what, readers=readers, breaks=breaks),
        _row(f"{path}[]", "text", "one address", readers=readers, breaks=breaks),
    )


ROWS = (
    *_addresses(
        "apiVIPs",
        "the addresses of the API's load balancer, one per family; .10 of the machine network unless given",
        readers="DNS records of api and api-int, the load balancer, the API's certificates",
        breaks="nodes cannot reach api-int, and none joins",
    ),
    *_addresses(
        "ingressVIPs",
        "the addresses of the load balancer for *.apps, one per family; .11 unless given",
        readers="the DNS record of *.apps, the load balancer",
        breaks="the console and the login page cannot be reached, and the authentication operator fails",
    ),
    *_addresses(
        "gateways",
        "the default gateways, one per family; .1 unless given",
        readers="the machines' network configuration",
        breaks="the machines cannot reach registries",
    ),
    *_addresses(
        "dns",
        "the name servers; the gateways unless given",
        readers="the machines' network configuration",
        breaks="the machines cannot resolve api-int",
    ),
    _row(
        "hosts",
        "mapping",
        "the machines by the plan's name: bootstrap, master-0, worker-0 and so on",
        readers="every artifact that belongs to one machine",
        breaks="a name that the plan does not have is an error",
    ),
    _row("hosts.*", "mapping", "one machine", readers="as its fields", breaks="as its fields"),
    _row(
        "hosts.*.hostname",
        "text",
        "the machine's own name; the plan's name unless given",
        readers="/etc/hostname, the node's name in the API, the kubelet's certificates",
        breaks="a node named localhost collides with the next one",
    ),
    *_addresses(
        "hosts.*.addresses",
        "the machine's addresses, one per family, the primary family first",
        readers="its network configuration, DNS, load balancer, etcd's and the kubelet's certificates",
        breaks="outside the machine network the node is not used for etcd",
    ),
    _row(
        "hosts.*.mac",
        "text",
        "the hardware address of the machine's network card",
        readers="the virtual machine, DHCP, the NetworkManager profile that matches by it",
        breaks="the profile matches no card and the machine has no network",
    ),
    _row(
        "hosts.*.disk",
        "text",
        "the disk to install to; /dev/vda unless given",
        readers="coreos-installer",
        breaks="the machine does not find its disk",
    ),
    *HYPERVISORS,
    *BMCS,
)
_SHAPE = shape_of(ROWS)


class HostEntry(NamedTuple):
    hostname: str = ""
    addresses: tuple[Address, ...] = ()
    mac: str = ""
    disk: str = ""
    hypervisor: str = ""
    bmc: Bmc | None = None


class Hosts(NamedTuple):
    """What the user decides about the machines; empty means derive it."""

    api_vips: tuple[Address, ...] = ()
    ingress_vips: tuple[Address, ...] = ()
    gateways: tuple[Address, ...] = ()
    dns: tuple[Address, ...] = ()
    entries: Mapping[str, HostEntry] = MappingProxyType({})
    hypervisors: Mapping[str, Hypervisor] = MappingProxyType({})

    def entry(self, role: str, index: int) -> HostEntry:
        """Of the machine that the plan calls so, whatever name of its own it has."""
        return self.entries.get(role if role == "bootstrap" else f"{role}-{index}", HostEntry())


def read_hosts(text: str | None, file: str) -> tuple[Hosts, Reading]:
    reading = read(text or "", file, _SHAPE, strict=True)
    values = reading.values
    hosts = Hosts(
        api_vips=_parsed(reading, "apiVIPs", values.get("apiVIPs")),
        ingress_vips=_parsed(reading, "ingressVIPs", values.get("ingressVIPs")),
        gateways=_parsed(reading, "gateways", values.get("gateways")),
        dns=_parsed(reading, "dns", values.get("dns")),
        entries={name: _entry(reading, name, entry) for name, entry in (values.get("hosts") or {}).items()},
        hypervisors=read_hypervisors(reading),
    )
    return hosts, reading


def _entry(reading: Reading, name: str, values: dict[str, Any]) -> HostEntry:
    path = f"hosts.{name}"
    hostname, mac, disk = (values.get(key, "") for key in ("hostname", "mac", "disk"))
    mac = mac.lower().replace("-", ":")
    if hostname and (len(hostname) > 63 or not is_subdomain(hostname) or hostname.split(".")[0] == "localhost"):
        message = "must be a host name in lower case, 63 characters at most, and not localhost"
        reading.error("host.name", f"{path}.hostname", message, f"write a name such as {name}")
    if mac and (not re.fullmatch(_MAC, mac) or int(mac[1], 16) % 2 or mac == "00:00:00:00:00:00"):
        message = "must be the hardware address of one card: six pairs of hex digits, the first pair even"
        reading.error("host.mac", f"{path}.mac", message, "write an address such as 52:54:00:12:34:56")
    if disk and (not re.fullmatch(_DISK, disk) or {".", ".."} & set(disk.split("/"))):
        reading.error("host.disk", f"{path}.disk", "must be a path below /dev", "write a path such as /dev/sda")
    return HostEntry(
        hostname=hostname,
        addresses=_parsed(reading, f"{path}.addresses", values.get("addresses")),
        mac=mac,
        disk=disk,
        hypervisor=values.get("hypervisor", ""),
        bmc=read_bmc(reading, f"{path}.bmc", values.get("bmc")),
    )


def _parsed(reading: Reading, path: str, texts: list[str | None] | None) -> tuple[Address, ...]:
    addresses = []
    for index, text in enumerate(texts or ()):
        address = parse_address(text or "")
        if address:
            addresses.append(address)
        elif not reading.is_broken(f"{path}[{index}]"):
            message = "is no IP address"
            reading.error("host.address", f"{path}[{index}]", message, "write an address such as 10.0.0.101")
    return tuple(addresses)
