"""Where the cluster's things in libvirt stand, as rows for people and programs."""

from __future__ import annotations

from typing import Any

from hardway.libvirt.balancer.changes import OFF, wanted_here
from hardway.libvirt.balancer.seen import Services
from hardway.libvirt.balancer.unit import BALANCER
from hardway.libvirt.balancer.wanted import unit_name
from hardway.libvirt.choices import Choices
from hardway.libvirt.identity import Identity
from hardway.libvirt.network import vips
from hardway.libvirt.storage import CONSOLE, DISK, folder
from hardway.libvirt.world import Object, Seen
from hardway.model.cluster import Cluster, Node


def inventory(
    cluster: Cluster, here: tuple[Node, ...], identity: Identity, choices: Choices, seen: Seen
) -> dict[str, Any]:
    """Of one libvirt host: itself, the machines that the plan puts there, and those that it does not."""
    network = seen.network if seen.network and seen.network.ours else None
    bridge = network.document.find("bridge") if network else None
    known = {m.node: m for m in seen.machines.values() if m.ours}
    extra = [m for m in known.values() if m.node not in {n.name for n in here}]
    return {
        "host": {
            "connect": choices.connect,
            "network": {
                "name": identity.infra_id,
                "state": _state(network),
                "bridge": bridge.get("name") if bridge is not None else None,
                "vips": {a: _present(a, network, seen) for a in vips(cluster)} if choices.vips else {},
            },
            "pool": {
                "name": identity.infra_id,
                "state": _state(seen.pool if seen.pool and seen.pool.ours else None),
                "folder": (seen.pool.document.findtext("target/path") if seen.pool else folder(identity, choices)),
            },
            "services": _services(identity, choices, seen),
        },
        "machines": [_machine(n, identity.machine(n), known.get(n.name), network, seen) for n in here],
        "leftOver": [{"node": m.node, "name": m.name, "state": m.state} for m in extra],
    }


def _state(found: Object | None) -> str:
    return "missing" if found is None else "running" if found.active else "off"


def _services(identity: Identity, choices: Choices, seen: Seen) -> list[dict[str, Any]] | None:
    """Those that are there, and HAProxy's where it is wanted; nothing where systemd does not run."""
    if seen.services is None:
        return None
    there = [path.rpartition("/")[2] for path in seen.services.files]
    wanted = [unit_name(identity, BALANCER)] if wanted_here(choices) else []
    names = [name for name in dict.fromkeys((*there, *wanted)) if name.endswith(".service")]
    return [{"name": name, **_service(seen.services, name, there=name in there)} for name in names]


def _service(seen: Services, name: str, *, there: bool) -> dict[str, Any]:
    now = seen.units.get(name, OFF)
    state = "missing" if not there else {"active": "running", "inactive": "off"}.get(now.state, now.state)
    return {"state": state, "autostart": now.enabled}


def _present(address: str, network: Object | None, seen: Seen) -> bool:
    """On an existing bridge the address itself was looked for; a NAT network that runs has put its own there."""
    own = {i.get("address") for i in network.live.iter("ip")} if network and network.live is not None else set()
    return address in own or any(address in found for found in seen.addresses.values())


def _machine(node: Node, name: str, found: Object | None, network: Object | None, seen: Seen) -> dict[str, Any]:
    gone = "gone" if network and node.name in network.gone else "missing"
    return {
        "node": node.name,
        "name": name,
        "role": node.role,
        "state": found.state if found else gone,
        "mac": node.mac,
        "addresses": list(node.addresses),
        "disk": node.name + DISK in seen.files,
        "console": node.name + CONSOLE if node.name + CONSOLE in seen.files else None,
    }
