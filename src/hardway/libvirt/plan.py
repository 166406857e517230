"""What has to change so that libvirt has what the plan says: pure, from what is wanted and what was seen."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from hardway.libvirt.balancer.changes import service_changes
from hardway.libvirt.change import Change
from hardway.libvirt.choices import Choices
from hardway.libvirt.facts import differences, merged, text_of
from hardway.libvirt.identity import Identity
from hardway.libvirt.machine import domain_xml
from hardway.libvirt.network import network_xml
from hardway.libvirt.preparation import addresses_to_record, host_changes, rules_to_record
from hardway.libvirt.reasons import reason
from hardway.libvirt.storage import DISK, folder, pool_xml, volume_xml
from hardway.libvirt.world import Object, Seen
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ToolError
from hardway.model.why import Why

MAIN = {"network": "forward", "pool": "target", "machine": "metadata"}
"""Where the reason stands for which a thing is there at all."""


def changes(
    cluster: Cluster,
    nodes: tuple[Node, ...],
    identity: Identity,
    choices: Choices,
    seen: Seen,
    gone: tuple[str, ...] = (),
) -> list[Change]:
    """For these machines of the plan; those that are `gone` for good are not made again."""
    _refuse_strangers(seen)
    wanted = [n for n in nodes if n.name not in gone]
    return [
        *_network(cluster, identity, choices, seen, gone),
        *host_changes(cluster, choices, seen),
        *service_changes(cluster, identity, choices, seen, gone),
        *_pool(identity, choices, seen),
        *(c for n in wanted for c in _disk(cluster, n, choices, seen)),
        *(c for n in wanted for c in _machine(cluster, n, identity, choices, seen)),
        *(_skipped(n, identity) for n in nodes if n.name in gone),
        *left_over(cluster, identity, seen),
    ]


def _skipped(node: Node, identity: Identity) -> Change:
    why = f"it was removed with `hardway infra down {node.name}`; `hardway infra up {node.name}` makes it again"
    return Change(action="skip", kind="machine", name=identity.machine(node), reasons=(why,))


def _refuse_strangers(seen: Seen) -> None:
    objects = {"network": seen.network, "pool": seen.pool} | {f"machine {m.name}": m for m in seen.machines.values()}
    for kind, found in objects.items():
        if found and not found.ours:
            raise ToolError(
                f"{kind.split()[0]} {found.name} is in libvirt without this cluster's mark, so it is left alone.\n"
                "    fix: rename or remove it yourself if it is not needed"
            )


def _network(
    cluster: Cluster, identity: Identity, choices: Choices, seen: Seen, gone: tuple[str, ...]
) -> Iterator[Change]:
    recorded, rules = addresses_to_record(cluster, choices, seen), rules_to_record(cluster, choices, seen)
    wanted = network_xml(cluster, identity, choices, recorded, rules, gone)
    old, name = seen.network, identity.infra_id
    yield from _defined("network", name, wanted, old)
    if old is None or not old.active:
        yield Change(action="start", kind="network", name=name, reasons=("it is not running",))
    elif old.live is not None and (found := _told("network", wanted, old.live, "metadata")):
        if seen.running:
            waits = f"the change waits until these machines are off: {', '.join(seen.running)}"
            yield Change(action="keep", kind="network", name=name, reasons=(waits,))
        else:
            yield Change(action="restart", kind="network", name=name, reasons=found)
    if old is None or not old.autostart:
        yield Change(action="autostart", kind="network", name=name, reasons=("it must start with the host",))


def _pool(identity: Identity, choices: Choices, seen: Seen) -> Iterator[Change]:
    wanted, old, name = pool_xml(identity, choices), seen.pool, identity.infra_id
    if old and (path := old.document.findtext("target/path")) != folder(identity, choices):
        raise ToolError(
            f"pool {name} is in {path}, and disks do not move by themselves.\n"
            f"    fix: use --pool {path}, or `hardway infra down` first"
        )
    yield from _defined("pool", name, wanted, old)
    if old is None or not old.active:
        yield Change(action="start", kind="pool", name=name, reasons=("it is not running",))
    if old is None or not old.autostart:
        yield Change(action="autostart", kind="pool", name=name, reasons=("it must start with the host",))


def _disk(cluster: Cluster, node: Node, choices: Choices, seen: Seen) -> Iterator[Change]:
    if seen.pool and not seen.pool.active:
        return  # what is in it is seen when it runs
    size, name = choices.size(cluster, node.role), node.name + DISK
    old, wanted = seen.files.get(name), size.disk << 30
    if old is None:
        document = text_of(volume_xml(node.name, size.disk))
        reasons = (f"{size.disk} GiB, allocated as it is written",)
        yield Change(action="create", kind="disk", name=name, reasons=reasons, document=document)
    elif old < wanted:
        reasons = (f"it has {old >> 30} GiB, should have {size.disk}",)
        yield Change(action="grow", kind="disk", name=name, reasons=reasons, document=str(wanted))
    elif old > wanted:
        kept = f"it has {old >> 30} GiB, more than the {size.disk} of the plan: a disk is never made smaller"
        yield Change(action="keep", kind="disk", name=name, reasons=(kept,))


def _machine(cluster: Cluster, node: Node, identity: Identity, choices: Choices, seen: Seen) -> Iterator[Change]:
    name = identity.machine(node)
    wanted, size = domain_xml(cluster, node, identity, choices), choices.size(cluster, node.role)
    for change in _defined("machine", name, wanted, old := seen.machines.get(name)):
        told = (f"{size.vcpus} CPUs, {size.memory / 1024:g} GiB. {size.why.what}",) if old is None else change.reasons
        later = ("it is running: the change takes effect at its next start",) if old and old.active else ()
        yield Change(action=change.action, kind="machine", name=name, reasons=told + later, document=change.document)


def left_over(cluster: Cluster, identity: Identity, seen: Seen) -> Iterator[Change]:
    planned = {identity.machine(n) for n in cluster.nodes}
    for machine in seen.machines.values():
        if machine.name not in planned:
            why = f"it is no longer in the plan; `hardway infra down {machine.node}` removes it"
            yield Change(action="keep", kind="machine", name=machine.name, reasons=(why,))


def _defined(kind: str, name: str, wanted: Element, old: Object | None) -> Iterator[Change]:
    if old is None:
        reasons = ("it is not there", *(why.what for why in [reason(kind, MAIN[kind])] if why))
        yield Change(action="create", kind=kind, name=name, reasons=reasons, document=text_of(wanted))
    elif found := _told(kind, wanted, old.document):
        document = text_of(merged(wanted, old.document))
        yield Change(action="change", kind=kind, name=name, reasons=found, document=document)


def _told(kind: str, wanted: Element, seen: Element, but: str = "-") -> tuple[str, ...]:
    """Each difference with the reason why it is wanted so, and what breaks otherwise."""
    found = [d for d in differences(wanted, seen) if not d.path.startswith(but)]
    rows = [(str(d), reason(kind, d.path)) for d in found]
    return tuple(f"{text}.{_because(why)}" if why else text for text, why in rows)


def _because(why: Why) -> str:
    return f" {why.what} Otherwise: {why.breaks}." if why.breaks else f" {why.what}"
