"""What has to change on the host itself: addresses on an existing bridge, and rules of its firewall."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.libvirt.change import Change
from hardway.libvirt.choices import Choices
from hardway.libvirt.firewall import rules
from hardway.libvirt.network import vips
from hardway.libvirt.world import Seen
from hardway.model.cluster import Cluster


def addresses_to_record(cluster: Cluster, choices: Choices, seen: Seen) -> list[str]:
    """The addresses that are this cluster's on an existing bridge. One that somebody else put there is not."""
    if not choices.bridge or not choices.vips:
        return []
    recorded = seen.network.recorded if seen.network else {}
    present = seen.addresses.get(choices.bridge, frozenset())
    return [a for a in vips(cluster) if recorded.get(a) == choices.bridge or a not in present]


def rules_to_record(cluster: Cluster, choices: Choices, seen: Seen) -> dict[str, str]:
    """The firewall rules that are this cluster's, with their zone; one that somebody else made is not."""
    recorded = seen.network.rules if seen.network else {}
    if seen.firewall is None:
        return recorded  # they come back when firewalld does
    if not choices.vips:
        return {}
    theirs = (seen.firewall.now | seen.firewall.later) - set(recorded)
    return {rule: seen.firewall.zone for rule in rules(cluster) if rule not in theirs}


def host_changes(cluster: Cluster, choices: Choices, seen: Seen) -> list[Change]:
    return [*_addresses(cluster, choices, seen), *_rules(cluster, choices, seen)]


def _addresses(cluster: Cluster, choices: Choices, seen: Seen) -> Iterator[Change]:
    recorded = seen.network.recorded if seen.network else {}
    wanted = addresses_to_record(cluster, choices, seen)
    for address, bridge in recorded.items():
        present = address in seen.addresses.get(bridge, frozenset())
        if present and (address not in wanted or bridge != choices.bridge):
            yield _address("remove", address, bridge, "the plan no longer has it here")
    for address in wanted:
        if address not in seen.addresses.get(choices.bridge, frozenset()):
            yield _address("add", address, choices.bridge, "the load balancer listens here")


def _address(action: str, address: str, bridge: str, why: str) -> Change:
    return Change(action=action, kind="address", name=address, place=bridge, reasons=(f"on {bridge}: {why}",))


def _rules(cluster: Cluster, choices: Choices, seen: Seen) -> Iterator[Change]:
    if seen.firewall is None:
        return
    wanted, reasons = rules_to_record(cluster, choices, seen), rules(cluster)
    for rule, zone in (seen.network.rules if seen.network else {}).items():
        if rule not in wanted:
            yield rule_change("remove", rule, zone, "the plan no longer has it")
    for rule, zone in wanted.items():
        if rule not in seen.firewall.now & seen.firewall.later:
            yield rule_change("add", rule, zone, f"the zone rejects it otherwise (F26). {reasons[rule]}")


def rule_change(action: str, rule: str, zone: str, why: str) -> Change:
    return Change(action=action, kind="firewall", name=rule, place=zone, reasons=(f"in zone {zone}: {why}",))
