"""The machines of the cluster: names, addresses, hardware addresses, disks.

Gateway .1, API .10, ingress .11, bootstrap .100, masters from .101, workers from .110, or right after the masters when
there are more than nine. A network too small for that (under 256 addresses) is filled from its start.
In IPv6 the same digits are used as they are written: master-0 is ::101, which is host number 0x101.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from hardway.model.cluster import Network, Node, Role
from hardway.model.config.addresses import Address
from hardway.model.config.draft import Draft
from hardway.model.hosts import HostEntry, Hosts


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


class Machine(NamedTuple):
    """A node of the plan before it is frozen: its addresses may be missing."""

    plan_name: str
    role: Role
    number: int
    entry: HostEntry
    addresses: tuple[Address | None, ...]


class Plan(NamedTuple):
    machines: tuple[Machine, ...]
    api_vips: tuple[Address | None, ...]
    ingress_vips: tuple[Address | None, ...]
    gateways: tuple[Address | None, ...]


def make_plan(draft: Draft, hosts: Hosts) -> Plan:
    """What hosts.yaml says, and for the rest the layout of the first machine network of each family."""
    masters = draft.control_plane.replicas
    networks = [draft.machine_networks_of(version)[0] for version in draft.families]
    layouts = [(network, layout_for(network, masters)) for network in networks]

    def derived(pick: str) -> tuple[Address | None, ...]:
        return tuple(address_at(network, getattr(layout, pick)) for network, layout in layouts)

    def machine(name: str, role: Role, index: int) -> Machine:
        entry = hosts.entries.get(name, HostEntry())
        addresses = tuple(address_at(network, layout.number(role, index)) for network, layout in layouts)
        return Machine(plan_name=name, role=role, number=index, entry=entry, addresses=entry.addresses or addresses)

    return Plan(
        machines=tuple(machine(*identity) for identity in _identities(masters, draft.workers)),
        api_vips=hosts.api_vips or derived("api"),
        ingress_vips=hosts.ingress_vips or derived("ingress"),
        gateways=hosts.gateways or derived("gateway"),
    )


def _identities(masters: int, workers: int) -> Iterator[tuple[str, Role, int]]:
    yield "bootstrap", "bootstrap", 0
    yield from ((f"master-{index}", "master", index) for index in range(masters))
    yield from ((f"worker-{index}", "worker", index) for index in range(workers))


def freeze(plan: Plan, domain: str) -> tuple[Node, ...]:
    """The nodes, each with a hardware address that is the same in every build of this cluster."""
    taken = {machine.entry.mac for machine in plan.machines}
    nodes = []
    for machine in plan.machines:
        mac = machine.entry.mac or _mac(f"{domain}/{machine.plan_name}", taken)
        taken.add(mac)
        nodes.append(
            Node(
                name=machine.entry.hostname or machine.plan_name,
                role=machine.role,
                index=machine.number,
                addresses=tuple(str(address) for address in machine.addresses),
                mac=mac,
                disk=machine.entry.disk or "/dev/vda",
            )
        )
    return tuple(nodes)


def _mac(seed: str, taken: set[str]) -> str:
    """An address in the range that QEMU uses; a hash of the name, and of that hash while it is taken."""
    digest = sha256(seed.encode()).hexdigest()
    mac = f"52:54:00:{digest[0:2]}:{digest[2:4]}:{digest[4:6]}"
    return _mac(digest, taken) if mac in taken else mac
