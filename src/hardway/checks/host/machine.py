"""Whether the machine is able: programs, processor, memory, disk and clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from hardway.checks.host.programs import INSTEAD_MINIMUM, PROGRAMS, Program, parsed, version_of
from hardway.checks.host.sizes import FULL_DISK_GIB
from hardway.checks.host.subject import Host
from hardway.model.check import Flaw, Severity
from hardway.tools.machine.read import Machine
from hardway.tools.virsh import LOCAL, Virsh

LEVEL_2 = ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3")  # as the kernel calls them; pni is SSE3
INSTALL = {"debian": "apt-get install", "fedora": "dnf install"}
SLOW_MS = 10.0
SLACK = timedelta(minutes=1)


def programs(host: Host) -> Iterator[Flaw]:
    for row in PROGRAMS:
        if host.planned.profile in row.needed:
            yield from _program(host.machine, row, "error")
        elif host.planned.profile in row.useful:
            yield from _program(host.machine, row, "warning")


def _program(machine: Machine, row: Program, severity: Severity) -> Iterator[Flaw]:
    there = [name for name in (row.name, *row.instead) if name in machine.programs]
    package = row.packages.get(machine.system, "")
    get = f"put {row.name} {row.minimum} or later on PATH: {row.elsewhere}"
    fix = f"{INSTALL[machine.system]} {package}" if package else get
    use = f"It {row.why.what[:1].lower()}{row.why.what[1:]}"
    if not there:
        yield Flaw(
            subject=row.name,
            message=f"is missing; needed for stage {row.stages}. {use}",
            fix=fix,
            severity=severity,
            package=package,
        )
    elif all(_too_old(machine.programs[name], _minimum(row, name)) for name in there):
        said = _dotted(version_of(machine.programs[there[0]]))
        message = f"{there[0]} is {said}, and {_minimum(row, there[0])} is needed for stage {row.stages}. {use}"
        yield Flaw(subject=row.name, message=message, fix=fix, severity=severity)


def _minimum(row: Program, name: str) -> str:
    return INSTEAD_MINIMUM.get(name, row.minimum)


def _too_old(said: str, minimum: str) -> bool:
    """A program that does not say its version gets the benefit of the doubt."""
    version = version_of(said)
    return version is not None and version < parsed(minimum)


def _dotted(version: tuple[int, ...] | None) -> str:
    return ".".join(map(str, version or ()))


def none_here(host: Host) -> str:
    """Why checks of what the planned machines need from this one cannot run."""
    return "" if host.planned.here.count else "none of the planned machines is on this host"


def kvm(host: Host) -> Iterator[Flaw]:
    if host.machine.kvm == "denied":
        message = "is there, but you may not use it"
        yield Flaw(subject="/dev/kvm", message=message, fix="sudo usermod -aG kvm $USER, and log in again")
    elif host.machine.kvm == "missing":
        flags = host.machine.cpu_flags
        module = next((m for flag, m in (("vmx", "kvm_intel"), ("svm", "kvm_amd")) if flag in flags), "")
        turn_on = "turn virtualization on in the firmware; in a virtual machine, let its host nest it"
        yield Flaw(
            subject="/dev/kvm",
            message="is missing: machines would be emulated, about twenty times slower",
            fix=f"modprobe {module}" if module else turn_on,
            commands=(("modprobe", module),) if module else (),
        )


def no_virsh(host: Host) -> str:
    return "" if "virsh" in host.machine.programs else "virsh is not installed, and only virsh can ask libvirt"


def libvirt(host: Host) -> Iterator[Flaw]:
    if host.machine.libvirt_trouble:
        daemon = "libvirtd" if "libvirtd" in host.machine.programs else "virtqemud"
        local = host.planned.connect == LOCAL
        yield Flaw(
            subject=host.planned.connect,
            message=f"libvirt does not answer: {host.machine.libvirt_trouble}",
            fix=f"systemctl start {daemon}" if local else Virsh(connect=host.planned.connect).remedy(),
            commands=(("systemctl", "start", daemon),) if local else (),
        )


def cpu(host: Host) -> Iterator[Flaw]:
    if host.machine.architecture != "x86_64":
        message = f"is {host.machine.architecture}, and the cluster's release is for x86_64"
        yield Flaw(subject="processor", message=message, fix="use an x86_64 machine")
    elif missing := [flag for flag in LEVEL_2 if flag not in host.machine.cpu_flags]:
        yield Flaw(
            subject="processor",
            message=f"is below x86-64-v2: it lacks {', '.join(missing)}",
            fix="use a newer processor; in a virtual machine, set its CPU mode to host-passthrough",
        )


def cores(host: Host) -> Iterator[Flaw]:
    if host.planned.here.peak.vcpus > host.machine.cpus:
        message = f"{host.planned.here.peak.vcpus} virtual processors share {host.machine.cpus}: it will be slow"
        fix = "plan fewer machines (replicas in install-config.yaml), or expect a slow installation"
        yield Flaw(subject="processor", message=message, fix=fix, severity="warning")


def memory(host: Host) -> Iterator[Flaw]:
    need = host.planned.here.peak.memory_mib
    if need > host.machine.memory_mib:
        message = f"the machines need {_gib(need)} together, and the host has {_gib(host.machine.memory_mib)}"
        fix = "plan fewer machines (compute replicas: 0, or one master), or use a larger host"
        yield Flaw(subject="memory", message=message, fix=fix)
    elif need > host.machine.memory_free_mib:
        message = f"the machines need {_gib(need)} together, and {_gib(host.machine.memory_free_mib)} are free"
        yield Flaw(subject="memory", message=message, fix="stop other programs and machines", severity="warning")


def disk(host: Host) -> Iterator[Flaw]:
    need, least = host.planned.here.total.disk_gib, host.planned.here.count * FULL_DISK_GIB
    fix = f"free space in {host.machine.disk_folder}, or put the pool elsewhere"
    has = f"and {host.machine.disk_free_gib} GiB are free in {host.machine.disk_folder}"
    if host.machine.disk_free_gib < least:
        yield Flaw(subject="disk", message=f"an installation alone writes about {least} GiB, {has}", fix=fix)
    elif host.machine.disk_free_gib < need:
        message = f"the disks can grow to {need} GiB, {has}"
        yield Flaw(subject="disk", message=message, fix=fix, severity="warning")


def not_measured(host: Host) -> str:
    return "the disk is measured only with --probe-disk" if host.machine.fsync_ms is None else ""


def fsync(host: Host) -> Iterator[Flaw]:
    taken = host.machine.fsync_ms
    if taken is not None and taken > SLOW_MS:
        message = f"the 99th percentile of synchronous writes is {taken:.1f} ms; etcd needs {SLOW_MS:.0f}"
        fix = "put the pool on an SSD or NVMe disk of this machine, not on a network or a spinning disk"
        yield Flaw(subject=host.machine.disk_folder, message=message, fix=fix, severity="warning")


def clock(host: Host) -> Iterator[Flaw]:
    built, now = host.planned.built, host.machine.now
    if built and built > now + SLACK:
        message = f"says {now:%Y-%m-%d %H:%M} UTC, and the artifacts were made later: {built:%F %H:%M}"
        yield Flaw(subject="clock", message=message, fix="set the clock: timedatectl set-ntp true")
    elif not host.machine.clock_disciplined:
        message = "nothing synchronizes it, and machines that differ by an hour refuse each other's certificates"
        fix = "install chrony, or run timedatectl set-ntp true"
        yield Flaw(subject="clock", message=message, fix=fix, severity="warning")


def _gib(mib: int) -> str:
    return f"{mib / 1024:.0f} GiB"
