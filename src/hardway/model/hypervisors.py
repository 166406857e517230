"""The part of hosts.yaml about libvirt hosts: which there are besides the first, and which machine is on which."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from hardway.model.config.reading import Reading
from hardway.model.config.table import FieldRow, Kind
from hardway.model.settings.infra import check_place
from hardway.model.why import because

FIRST_HOST = "first"
"""The name of the libvirt that --connect names, when there are others."""


def _row(path: str, kind: Kind, what: str, *, readers: str, breaks: str, required: bool = False) -> FieldRow:
    why = because(what, readers=readers, breaks=breaks, source="this tool's plan; libvirt.org: URIs")
    return FieldRow(file="hosts.yaml", path=path, kind=kind, why=why, required=required)


ROWS = (
    _row(
        "hypervisors",
        "mapping",
        "other libvirt hosts that machines can be put on, by a name that you choose",
        readers="hardway infra",
        breaks="all machines are on the one host of --connect",
    ),
    _row("hypervisors.*", "mapping", "one libvirt host", readers="as its fields", breaks="as its fields"),
    _row(
        "hypervisors.*.connect",
        "text",
        "its libvirt, as qemu+ssh://root@host/system",
        readers="virsh; ssh, for the host's own addresses",
        breaks="its machines cannot be created",
        required=True,
    ),
    _row(
        "hypervisors.*.bridge",
        "text",
        "its bridge into the machines' network; the same name as on the first host unless given",
        readers="the cluster's network in that libvirt",
        breaks="its machines are on a network without the others",
    ),
    _row(
        "hypervisors.*.pool",
        "text",
        "its folder of disks; the same as on the first host unless given",
        readers="the cluster's storage pool in that libvirt",
        breaks="the disks fill the file system that the default folder is on",
    ),
    _row(
        "hosts.*.hypervisor",
        "text",
        "the libvirt host that the machine is on, by its name in hypervisors; the one of --connect unless given",
        readers="hardway infra",
        breaks="the machine is made on the first host",
    ),
)


class Hypervisor(NamedTuple):
    """A libvirt host besides the first one."""

    connect: str = ""
    bridge: str = ""
    pool: str = ""


def read_hypervisors(reading: Reading) -> dict[str, Hypervisor]:
    values = reading.values.get("hypervisors") or {}
    found = {name: _hypervisor(reading, name, fields) for name, fields in values.items()}
    _check_twice(reading, found)
    _check_named(reading, tuple(dict.fromkeys((FIRST_HOST, *found))))
    return found


def _hypervisor(reading: Reading, name: str, values: dict[str, Any]) -> Hypervisor:
    path = f"hypervisors.{name}"
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,62}", name) or name == FIRST_HOST:
        message = f"must be a name of your own in lower case, and not {FIRST_HOST}: that is the host of --connect"
        reading.error("hypervisor.name", path, message, "write a name such as hv2")
    check_place(reading, path, values)
    return Hypervisor(**values)


def _check_twice(reading: Reading, found: Mapping[str, Hypervisor]) -> None:
    owners: dict[str, str] = {}
    for name, row in found.items():
        first = owners.setdefault(row.connect, name)
        if row.connect and first != name:
            message = f"is the libvirt of {first} already"
            reading.error("hypervisor.taken", f"hypervisors.{name}.connect", message, "name each libvirt once")


def _check_named(reading: Reading, known: tuple[str, ...]) -> None:
    for name, entry in (reading.values.get("hosts") or {}).items():
        if (wanted := entry.get("hypervisor")) and wanted not in known:
            choice = f"write one of {', '.join(known)}" if len(known) > 1 else "remove the line"
            rest = f"{FIRST_HOST} is the host of --connect" if len(known) > 1 else "the host is then that of --connect"
            fix = f"describe it under hypervisors in this file, or {choice}; {rest}"
            path = f"hosts.{name}.hypervisor"
            reading.error("hypervisor.unknown", path, f"{wanted[:63]!r} is not under hypervisors", fix)
