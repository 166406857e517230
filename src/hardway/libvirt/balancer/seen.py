"""What the host has of the load balancer's services now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardway.libvirt.balancer.unit import ADDRESSES, BALANCER
from hardway.libvirt.balancer.wanted import PROGRAM, UNITS, ours, paths, unit_name
from hardway.libvirt.host import Host
from hardway.libvirt.identity import Identity
from hardway.tools.run import attempt, run

RUNS = frozenset(("initializing", "starting", "running", "degraded", "maintenance", "stopping"))
"""What `systemctl is-system-running` says where systemd does; in a container without it, it says `offline`."""
ASK = f"systemctl is-system-running; test -x {PROGRAM} && echo program; test -w {UNITS} && echo writable; true"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    state: str  # systemd's ActiveState: active, inactive, failed, activating
    enabled: bool

    @property
    def active(self) -> bool:
        return self.state == "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Of a host with systemd."""

    program: bool = True  # HAProxy is installed
    writable: bool = True  # whoever asks may write units
    files: Mapping[str, str] = field(default_factory=dict)  # of ours, by path
    strangers: tuple[str, ...] = ()  # files with a name of ours, without the mark
    units: Mapping[str, Unit] = field(default_factory=dict)  # by name


def observe_services(host: Host, identity: Identity) -> Services | None:
    """Nothing where systemd does not run, or where the host cannot be asked."""
    if not host.reachable:
        return None
    state, *rest = attempt(host.command("sh", "-c", ASK)).output.split() or [""]
    if state not in RUNS:
        return None
    found = {path: text for path in paths(identity) if (text := _read(host, path)) is not None}
    return Services(
        program="program" in rest,
        writable="writable" in rest,
        files={path: text for path, text in found.items() if ours(text, identity)},
        strangers=tuple(path for path, text in found.items() if not ours(text, identity)),
        units=_units(host, [unit_name(identity, unit) for unit in (ADDRESSES, BALANCER)]),
    )


def _read(host: Host, path: str) -> str | None:
    done = attempt(host.command("cat", path))
    return done.output if done.ok else None


def _units(host: Host, names: list[str]) -> dict[str, Unit]:
    """systemd answers for units that are not there too: they are inactive."""
    told = run(host.command("systemctl", "show", "--property=Id,ActiveState,UnitFileState", *names))
    blocks = (dict(line.split("=", 1) for line in block.splitlines() if "=" in line) for block in told.split("\n\n"))
    return {
        block["Id"]: Unit(state=block.get("ActiveState", ""), enabled=block.get("UnitFileState") == "enabled")
        for block in blocks
        if "Id" in block
    }
