"""The machines of the cluster: names, addresses, hardware addresses, disks."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from hardway.model.cluster import Node, Role
from hardway.model.config.addresses import Address
from hardway.model.config.draft import Draft
from hardway.model.derive.layout import address_at, layout_for
from hardway.model.hosts import HostEntry, Hosts


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
