"""What libvirt has now, read anew every time. Nothing is kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from hardway.libvirt.balancer.seen import Services, observe_services
from hardway.libvirt.facts import parse
from hardway.libvirt.firewall import Firewall, observe_firewall
from hardway.libvirt.host import Host
from hardway.libvirt.identity import MARK, Identity, marked
from hardway.tools.virsh import Virsh


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """A network, pool or machine. `document` is what the next start will use, `live` what runs now."""

    name: str
    document: Element
    ours: bool
    active: bool
    autostart: bool = False
    live: Element | None = None
    state: str = ""
    node: str = ""

    @property
    def recorded(self) -> dict[str, str]:
        """The addresses that the mark of a network says were put on a bridge, with the bridge."""
        found = self.document.findall(f"metadata/{{{MARK}}}cluster/{{{MARK}}}vip")
        return {v.get("address", ""): v.get("bridge", "") for v in found}

    @property
    def rules(self) -> dict[str, str]:
        """The firewall rules that its mark says were made, with their zone."""
        found = self.document.findall(f"metadata/{{{MARK}}}cluster/{{{MARK}}}rule")
        return {r.get("text", ""): r.get("zone", "") for r in found}

    @property
    def gone(self) -> tuple[str, ...]:
        """The machines that its mark says were removed for good."""
        found = self.document.findall(f"metadata/{{{MARK}}}cluster/{{{MARK}}}gone")
        return tuple(g.get("node", "") for g in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    network: Object | None = None
    pool: Object | None = None
    machines: Mapping[str, Object] = field(default_factory=dict)
    files: Mapping[str, int] = field(default_factory=dict)  # of our pool: name to size in bytes
    addresses: Mapping[str, frozenset[str]] = field(default_factory=dict)  # on existing bridges
    firewall: Firewall | None = None
    services: Services | None = None  # nothing where systemd does not run

    @property
    def running(self) -> list[str]:
        return [m.name for m in self.machines.values() if m.ours and m.active]


def observe(virsh: Virsh, identity: Identity, bridge: str, host: Host) -> Seen:
    network = _network(virsh, identity)
    pool = _pool(virsh, identity)
    bridges = {*(network.recorded.values() if network and network.ours else ()), bridge} - {""}
    return Seen(
        network=network,
        pool=pool,
        machines=_machines(virsh, identity),
        files=_files(virsh, pool) if pool and pool.ours and pool.active else {},
        addresses={b: host.addresses(b, required=b == bridge) for b in sorted(bridges)},
        firewall=observe_firewall(host, bridge or next(iter(sorted(bridges)), "")),
        services=observe_services(host, identity),
    )


def _network(virsh: Virsh, identity: Identity) -> Object | None:
    name = identity.infra_id
    if name not in virsh.names("net-list", "--all", "--name"):
        return None
    document = parse(virsh("net-dumpxml", name, "--inactive"))
    info = virsh.fields("net-info", name)
    active = info.get("Active") == "yes"
    return Object(
        name=name,
        document=document,
        ours=marked(document, identity) is not None,
        active=active,
        autostart=info.get("Autostart") == "yes",
        live=parse(virsh("net-dumpxml", name)) if active else None,
    )


def _pool(virsh: Virsh, identity: Identity) -> Object | None:
    name = identity.infra_id
    if name not in virsh.names("pool-list", "--all", "--name"):
        return None
    document = parse(virsh("pool-dumpxml", name, "--inactive"))
    info = virsh.fields("pool-info", name)
    return Object(
        name=name,
        document=document,
        ours=document.findtext("uuid") == identity.uuid("pool"),
        active=info.get("State") == "running",
        autostart=info.get("Autostart") == "yes",
    )


def _files(virsh: Virsh, pool: Object) -> dict[str, int]:
    virsh("pool-refresh", pool.name)
    files = {}
    for name in virsh.volumes(pool.name):
        document = parse(virsh("vol-dumpxml", name, "--pool", pool.name))
        files[name] = int(document.findtext("capacity") or 0)
    return files


def _machines(virsh: Virsh, identity: Identity) -> dict[str, Object]:
    """Those that carry the mark, and strangers that have one of its names."""
    found = (_machine(virsh, identity, name) for name in virsh.names("list", "--all", "--name"))
    return {m.name: m for m in found if m.ours or m.name.startswith(f"{identity.infra_id}-")}


def _machine(virsh: Virsh, identity: Identity, name: str) -> Object:
    document = parse(virsh("dumpxml", name, "--inactive"))
    mark = marked(document, identity)
    state = virsh("domstate", name).strip()
    return Object(
        name=name,
        document=document,
        ours=mark is not None,
        active=state != "shut off",
        state=state,
        node=mark.get("node", "") if mark is not None else "",
    )
