"""What `down` removes: what carries the cluster's mark, and first what stands on the rest."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from xml.etree.ElementTree import SubElement

from hardway.libvirt.balancer.changes import service_removals
from hardway.libvirt.change import Change
from hardway.libvirt.facts import text_of
from hardway.libvirt.identity import MARK
from hardway.libvirt.preparation import rule_change
from hardway.libvirt.storage import belongs
from hardway.libvirt.world import Object, Seen
from hardway.model.cluster import Cluster

MARKED = "it has this cluster's mark"


def removals(cluster: Cluster, nodes: tuple[str, ...], seen: Seen) -> list[Change]:
    """Of the named machines only, with their files; or, without names, of everything."""
    if seen.pool and seen.pool.ours and not seen.pool.active:
        why = "it is not running, and its files can only be listed while it runs; the rest is removed"
        return [Change(action="start", kind="pool", name=seen.pool.name, reasons=(why,))]
    machines = [m for m in seen.machines.values() if m.ours and (not nodes or m.node in nodes)]
    owners = set(nodes) or {n.name for n in cluster.nodes} | {m.node for m in machines}
    gone = [f for f in seen.files if belongs(f, owners)]
    found = [*(_machine(m) for m in machines), *(_file(f) for f in gone)]
    if nodes:
        return [*found, *_remembered(cluster, nodes, seen)]
    services = service_removals(seen.services, MARKED) if seen.services else ()
    stands = [*_pool(seen, set(seen.files) - set(gone)), *services]
    return [*found, *stands, *_addresses(seen), *_rules(seen), *_network(seen)]


def _remembered(cluster: Cluster, nodes: tuple[str, ...], seen: Seen) -> Iterator[Change]:
    """That the bootstrap machine is gone for good is written into the network's mark; others may come back."""
    name, network = cluster.bootstrap.name, seen.network
    if name in nodes and network and network.ours and name not in network.gone:
        document = deepcopy(network.document)
        for seal in document.findall(f"metadata/{{{MARK}}}cluster"):
            SubElement(seal, f"{{{MARK}}}gone", node=name)
        why = f"it records that {name} is removed for good: only `hardway infra up {name}` creates it again"
        yield Change(action="change", kind="network", name=network.name, reasons=(why,), document=text_of(document))


def _machine(machine: Object) -> Change:
    state = (f"it is {machine.state}: it is stopped first",) if machine.active else ()
    return Change(action="remove", kind="machine", name=machine.name, reasons=(MARKED, *state))


def _file(name: str) -> Change:
    return Change(action="remove", kind="disk", name=name, reasons=("a file of one of its machines, in its own pool",))


def _pool(seen: Seen, left: set[str]) -> Iterator[Change]:
    if seen.pool is None or not seen.pool.ours:
        return
    if left:
        why = f"it holds files that hardway did not make: {', '.join(sorted(left))}"
        yield Change(action="keep", kind="pool", name=seen.pool.name, reasons=(why,))
    else:
        yield Change(action="remove", kind="pool", name=seen.pool.name, reasons=(MARKED,))


def _addresses(seen: Seen) -> Iterator[Change]:
    recorded = seen.network.recorded if seen.network and seen.network.ours else {}
    for address, bridge in recorded.items():
        if address in seen.addresses.get(bridge, frozenset()):
            why = f"on {bridge}: it was put there for this cluster"
            yield Change(action="remove", kind="address", name=address, place=bridge, reasons=(why,))


def _rules(seen: Seen) -> Iterator[Change]:
    for rule, zone in (seen.network.rules if seen.network and seen.network.ours else {}).items():
        if seen.firewall is None:
            told = "firewalld does not run: start it and run this again, or remove the rule yourself"
            yield rule_change("keep", rule, zone, told)
        elif rule in seen.firewall.now | seen.firewall.later:
            yield rule_change("remove", rule, zone, "it was made for this cluster")


def _network(seen: Seen) -> Iterator[Change]:
    """It holds the record of the rules: while one cannot be removed, it stays."""
    if seen.network is not None and seen.network.ours and seen.network.rules and seen.firewall is None:
        why = "the firewall rules are recorded there"
        yield Change(action="keep", kind="network", name=seen.network.name, reasons=(why,))
    elif seen.network is not None and seen.network.ours:
        yield Change(action="remove", kind="network", name=seen.network.name, reasons=(MARKED,))
