"""This machine as plain facts. What judges them is elsewhere and sees only these, so any machine can be imagined."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ToolError
from hardway.tools import run
from hardway.tools.machine import proc
from hardway.tools.virsh import Virsh

Kvm = Literal["ready", "denied", "missing"]
KVM = Path("/dev/kvm")
SELINUX = Path("/sys/fs/selinux")
TIME_ERROR = 5  # what adjtimex(2) answers while nothing disciplines the clock
VERSION_SECONDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    system: str  # the distribution's family: debian, fedora, or its own name
    architecture: str
    cpus: int
    cpu_flags: frozenset[str]
    memory_mib: int
    memory_free_mib: int  # what could be had without swapping
    disk_folder: str  # where the machines' disks will be, or the nearest folder above that exists
    disk_free_gib: int
    kvm: Kvm
    programs: Mapping[str, str]  # those that are there: the first lines of what they say about their version
    addresses: frozenset[str]
    neighbours: Mapping[str, str] = field(default_factory=dict)  # address to hardware address
    listening: frozenset[tuple[str, str, int]] = frozenset()  # tcp or udp, address, port
    now: datetime
    clock_disciplined: bool
    selinux: str = ""  # enforcing or permissive; empty where there is none
    selinux_booleans: Mapping[str, bool] = field(default_factory=dict)
    firewall_zones: Mapping[str, frozenset[str]] | None = None  # what is let in; None without firewalld
    libvirt_trouble: str = ""  # why libvirt does not answer, if it was asked
    fsync_ms: float | None = None  # the 99th percentile, if it was measured


def read(
    *,
    disks: Path,
    programs: Iterable[tuple[str, tuple[str, ...]]],
    booleans: Iterable[str],
    libvirt: str = "",
    probe: bool = False,
) -> Machine:
    """Look at the machine; nothing on it changes, apart from a file that a probe of the disk writes and removes.
    `libvirt` is the connection of the libvirt to ask; empty asks none."""
    folder = _nearest(disks)
    space = os.statvfs(folder)
    memory = proc.memory()
    return Machine(
        system=proc.family(),
        architecture=os.uname().machine,
        cpus=os.cpu_count() or 1,
        cpu_flags=proc.cpu_flags(),
        memory_mib=memory["MemTotal"] // 1024,
        memory_free_mib=memory.get("MemAvailable", memory["MemTotal"]) // 1024,
        disk_folder=str(folder),
        disk_free_gib=space.f_bavail * space.f_frsize >> 30,
        kvm=_kvm(),
        programs=_programs(programs),
        addresses=proc.addresses(),
        neighbours=proc.neighbours(),
        listening=proc.listening(),
        now=SystemEntropy().now(),
        clock_disciplined=_disciplined(),
        selinux=_selinux(),
        selinux_booleans={name: value for name in booleans if (value := _boolean(name)) is not None},
        firewall_zones=_firewall(),
        libvirt_trouble=_libvirt(libvirt) if libvirt and run.have("virsh") else "",
        fsync_ms=_probe(folder) if probe else None,
    )


def _nearest(folder: Path) -> Path:
    return next(p for p in (folder.absolute(), *folder.absolute().parents) if p.is_dir())


def _kvm() -> Kvm:
    if not KVM.exists():
        return "missing"
    return "ready" if os.access(KVM, os.R_OK | os.W_OK) else "denied"


def _programs(wanted: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, str]:
    """Those that are on PATH or where administrators' programs are, and what they print when asked."""
    found = {}
    for name, question in wanted:
        if path := run.have(name) or run.have(f"/usr/sbin/{name}"):
            found[name] = _says([path, *question])
    return found


def _says(command: list[str]) -> str:
    try:
        done = run.attempt(command, seconds=VERSION_SECONDS)
    except (ToolError, OSError):
        return ""
    return "\n".join((done.output + done.errors).splitlines()[:3])


def _disciplined() -> bool:
    """Whether the kernel's clock is being kept right, by whatever program. Only asks: modes is 0."""
    answer: int = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(1024))
    return 0 <= answer < TIME_ERROR


def _selinux() -> str:
    try:
        return "enforcing" if (SELINUX / "enforce").read_text().strip() == "1" else "permissive"
    except OSError:
        return ""


def _boolean(name: str) -> bool | None:
    try:
        return (SELINUX / "booleans" / name).read_text().startswith("1")
    except OSError:
        return None


def _firewall() -> dict[str, frozenset[str]] | None:
    """The zones in use, if firewalld runs."""
    if not run.have("firewall-cmd") or not run.attempt(["firewall-cmd", "--state"]).ok:
        return None
    done = run.attempt(["firewall-cmd", "--list-all-zones"])
    return proc.zones(done.output) if done.ok else {}


def _libvirt(connect: str) -> str:
    """virsh begins a connection for its question, which starts nothing."""
    try:
        done = Virsh(connect=connect).attempt("uri")
    except ToolError as error:
        return str(error).partition("\n")[0]
    lines = [line.removeprefix("error:").strip() for line in done.errors.splitlines() if line.strip()]
    return "" if done.ok else lines[-1] if lines else "virsh gives no reason"


def _probe(folder: Path) -> float:
    try:
        return proc.fdatasync_ms(folder)
    except OSError as error:
        raise ToolError(f"cannot write in {folder} to measure it: {error.strerror}") from None
