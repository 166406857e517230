"""THE TABLE of devices that a lab's programs may open. The kernel holds every process of a lab to it, a node's root and
its privileged pods too: this machine's disks, memory and ports are none of a node's business."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from hardway.lab import bpf


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    name: str
    kind: str  # c or b, as mknod has it
    major: int | None  # None: any
    minor: int | None
    access: str  # of read, write, mknod
    why: str

    @property
    def rule(self) -> str:
        """As the devices controller reads it."""
        numbers = ("*" if number is None else str(number) for number in (self.major, self.minor))
        return f"{self.kind} {':'.join(numbers)} {self.access}"


ANY = None


def _character(name: str, major: int | None, minor: int | None, why: str, access: str = "rwm") -> Device:
    return Device(name=name, kind="c", major=major, minor=minor, access=access, why=why)


TABLE: tuple[Device, ...] = (
    _character("files", ANY, ANY, "runtimes make those of containers; to make one is not to open it", access="m"),
    Device(name="files", kind="b", major=ANY, minor=ANY, access="m", why="likewise"),
    _character("null", 1, 3, "every program's; it stands in for kmsg as well"),
    _character("zero", 1, 5, "memory that is all zero"),
    _character("full", 1, 7, "one of the standard devices of a container"),
    _character("random", 1, 8, "keys"),
    _character("random, at once", 1, 9, "keys"),
    _character("tty", 5, 0, "a shell on a node"),
    _character("console", 5, 1, "what a node's systemd writes while it boots"),
    _character("ptmx", 5, 2, "a terminal in a container"),
    _character("pts", 136, ANY, "the terminals themselves"),
    _character("tun", 10, 200, "runtimes allow it to every container, and fail where they may not"),
    _character("fuse", 10, 229, "file systems of containers"),
)


def restrict(group: Path) -> None:
    """A new group of a hierarchy that knows devices: these alone, for it and for whatever is made below it."""
    if (group / "cgroup.controllers").exists():  # v2
        bpf.attach(group, [(row.kind, row.major, row.minor, row.access) for row in TABLE])
    elif (group / "devices.deny").exists():
        (group / "devices.deny").write_text("a")
        for row in TABLE:
            (group / "devices.allow").write_text(row.rule)


def as_specification() -> str:
    """The same for a container's specification, where a privileged one asks for all devices: what its node has."""
    rows = [
        {"allow": True, "type": row.kind, "access": row.access}
        | ({} if row.major is None else {"major": row.major})
        | ({} if row.minor is None else {"minor": row.minor})
        for row in TABLE
    ]
    return f"{json.dumps(rows)}\n"
