"""Whether the plan can be: every machine has its own address, inside the machine network, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hardway.model.config.addresses import Address, Network, contains
from hardway.model.config.draft import Draft
from hardway.model.config.reading import Reading
from hardway.model.derive.plan import Plan
from hardway.model.hosts import Hosts

_MACHINES = "networking.machineNetwork"
_SHARED = ("apiVIPs", "ingressVIPs", "gateways")


def check_plan(plan: Plan, hosts: Hosts, draft: Draft, config: Reading, file: Reading) -> None:
    """Problems go to the file that can solve them: what was derived to install-config, what was given to hosts.yaml."""
    _check_names(plan, hosts, file)
    _check_room(plan, draft, config)
    for path, addresses in zip(_SHARED, (hosts.api_vips, hosts.ingress_vips, hosts.gateways), strict=True):
        _check_families(path, addresses, draft, file)
        _check_inside(path, addresses, draft, file, must=path == "gateways")
    for name, entry in hosts.entries.items():
        path = f"hosts.{name}.addresses"
        _check_families(path, entry.addresses, draft, file, complete=True)
        _check_inside(path, entry.addresses, draft, file, must=True)
    _check_unique(plan, hosts, file)


def _check_names(plan: Plan, hosts: Hosts, file: Reading) -> None:
    planned = {machine.plan_name for machine in plan.machines}
    for name in hosts.entries:
        if name not in planned:
            from difflib import get_close_matches

            near = get_close_matches(name, planned, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            fix = f"{hint}install-config.yaml says how many masters and workers there are"
            file.error("host.unknown", f"hosts.{name[:60]}", "is not a machine of the plan", fix)


def _check_room(plan: Plan, draft: Draft, config: Reading) -> None:
    homeless = [machine.plan_name for machine in plan.machines if None in machine.addresses]
    lists = (("the API", plan.api_vips), ("ingress", plan.ingress_vips), ("the gateway", plan.gateways))
    homeless += [name for name, addresses in lists if None in addresses]
    if homeless:
        networks = ", ".join(str(draft.machine_networks_of(version)[0]) for version in draft.families)
        first = f"{homeless[0]} and {len(homeless) - 1} more" if len(homeless) > 1 else homeless[0]
        message = f"{networks} has no address left for {first}"
        config.error("plan.room", _MACHINES, message, "widen the machine network, or give addresses in hosts.yaml")


def _check_families(
    path: str, addresses: Sequence[Address], draft: Draft, file: Reading, *, complete: bool = False
) -> None:
    if not addresses or file.is_broken(path):
        return
    wanted = list(draft.families)
    versions = [address.version for address in addresses]
    if versions != wanted[: len(versions)] or (complete and len(versions) != len(wanted)):
        order = " and then one ".join(f"IPv{version}" for version in wanted)
        file.error(
            "host.family", path, f"must be one {order} address", "give one address of each family, in this order"
        )


def _check_inside(path: str, addresses: Sequence[Address], draft: Draft, file: Reading, *, must: bool) -> None:
    networks = [cidr.network for cidr in draft.machine_networks]
    for index, address in enumerate(addresses):
        network = next((n for n in networks if contains(n, address)), None)
        if network is None:
            message = f"{address} is in no machine network ({', '.join(map(str, networks))})"
            report = file.error if must else file.warn
            report("host.outside", f"{path}[{index}]", message, "choose an address inside, or add the network")
        elif address in _ends(network):
            message = f"{address} is the network's own or its broadcast address"
            file.error("host.address", f"{path}[{index}]", message, "choose an address between the two")


def _ends(network: Network) -> tuple[Address, ...]:
    if network.num_addresses <= 2:
        return ()
    return (network.network_address, network.broadcast_address) if network.version == 4 else (network.network_address,)


class _Claim(NamedTuple):
    value: str
    owner: str
    path: str
    given: bool  # by hosts.yaml; what was derived never collides with itself


def _claims(plan: Plan, hosts: Hosts) -> Iterator[_Claim]:
    shared = (
        ("apiVIPs", plan.api_vips, hosts.api_vips),
        ("ingressVIPs", plan.ingress_vips, hosts.ingress_vips),
        ("gateways", plan.gateways, hosts.gateways),
    )
    for name, addresses, given in shared:
        yield from (_Claim(str(a), name, f"{name}[{i}]", bool(given)) for i, a in enumerate(addresses) if a)
    for machine in plan.machines:
        name, entry, path = machine.plan_name, machine.entry, f"hosts.{machine.plan_name}"
        yield _Claim(entry.hostname or name, name, f"{path}.hostname", bool(entry.hostname))
        for index, address in enumerate(machine.addresses):
            if address:
                yield _Claim(str(address), name, f"{path}.addresses[{index}]", bool(entry.addresses))
        if entry.mac:
            yield _Claim(entry.mac, name, f"{path}.mac", True)


def _check_unique(plan: Plan, hosts: Hosts, file: Reading) -> None:
    """One owner a value; only the load balancers and the gateway may share a machine."""
    owners: dict[str, _Claim] = {}
    for claim in sorted(_claims(plan, hosts), key=lambda claim: claim.given):
        first = owners.setdefault(claim.value, claim)
        if first is not claim and not (first.owner in _SHARED and claim.owner in _SHARED):
            file.error("host.taken", claim.path, f"{claim.value} belongs to {first.owner} already", "give each its own")
