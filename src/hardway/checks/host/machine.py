"""Whether the machine is able: programs, processor, memory, disk and clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from hardway.checks.host.programs import INSTEAD_MINIMUM, PROGRAMS, Program, parsed, version_of
from hardway.checks.host.row import Defect, Planned
from hardway.checks.host.sizes import FULL_DISK_GIB
from hardway.model.report import Severity
from hardway.tools.machine.read import Machine

LEVEL_2 = ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3")  # as the kernel calls them; pni is SSE3
INSTALL = {"debian": "apt-get install", "fedora": "dnf install"}
SLOW_MS = 10.0
SLACK = timedelta(minutes=1)


def programs(machine: Machine, planned: Planned) -> Iterator[Defect]:
    for row in PROGRAMS:
        if planned.profile in row.needed:
            yield from _program(machine, row, "error")
        elif planned.profile in row.useful:
            yield from _program(machine, row, "warning")


def _program(machine: Machine, row: Program, severity: Severity) -> Iterator[Defect]:
    there = [name for name in (row.name, *row.instead) if name in machine.programs]
    package = row.packages.get(machine.system, "")
    get = f"put {row.name} {row.minimum} or later on PATH: {row.elsewhere}"
    fix = f"{INSTALL[machine.system]} {package}" if package else get
    what = f"(stage {row.stages}) {row.why.what}"
    if not there:
        yield Defect(subject=row.name, message=f"is missing {what}", fix=fix, severity=severity, package=package)
    elif all(_too_old(machine.programs[name], _minimum(row, name)) for name in there):
        said = _dotted(version_of(machine.programs[there[0]]))
        message = f"{there[0]} is {said}, and {_minimum(row, there[0])} is needed {what}"
        yield Defect(subject=row.name, message=message, fix=fix, severity=severity)


def _minimum(row: Program, name: str) -> str:
    return INSTEAD_MINIMUM.get(name, row.minimum)


def _too_old(said: str, minimum: str) -> bool:
    """A program that does not say its version gets the benefit of the doubt."""
    version = version_of(said)
    return version is not None and version < parsed(minimum)


def _dotted(version: tuple[int, ...] | None) -> str:
    return ".".join(map(str, version or ()))


def kvm(machine: Machine, planned: Planned) -> Iterator[Defect]:
    if not planned.here.count:
        return
    if machine.kvm == "denied":
        message = "is there and you may not use it"
        yield Defect(subject="/dev/kvm", message=message, fix="sudo usermod -aG kvm $USER, and log in again")
    elif machine.kvm == "missing":
        module = next((m for flag, m in (("vmx", "kvm_intel"), ("svm", "kvm_amd")) if flag in machine.cpu_flags), "")
        turn_on = "turn virtualization on in the firmware; in a virtual machine, let its host nest it"
        yield Defect(
            subject="/dev/kvm",
            message="is missing: machines would be emulated, some twenty times slower than any time limit allows",
            fix=f"modprobe {module}" if module else turn_on,
            commands=(("modprobe", module),) if module else (),
        )


def cpu(machine: Machine, planned: Planned) -> Iterator[Defect]:
    if not planned.here.count:
        return
    if machine.architecture != "x86_64":
        message = f"is {machine.architecture}, and the cluster's release is for x86_64"
        yield Defect(subject="processor", message=message, fix="use an x86_64 machine")
    elif missing := [flag for flag in LEVEL_2 if flag not in machine.cpu_flags]:
        yield Defect(
            subject="processor",
            message=f"is below x86-64-v2: it lacks {', '.join(missing)}",
            fix="use a newer processor; in a virtual machine, set its CPU mode to host-passthrough",
        )


def cores(machine: Machine, planned: Planned) -> Iterator[Defect]:
    if planned.here.peak.vcpus > machine.cpus:
        message = f"{planned.here.peak.vcpus} virtual processors share {machine.cpus}: it will be slow"
        fix = "plan fewer machines (replicas in install-config.yaml), or be patient"
        yield Defect(subject="processor", message=message, fix=fix, severity="warning")


def memory(machine: Machine, planned: Planned) -> Iterator[Defect]:
    need = planned.here.peak.memory_mib
    if need > machine.memory_mib:
        message = f"the machines need {_gib(need)} at once, and there are {_gib(machine.memory_mib)}"
        fix = "plan fewer machines (compute replicas: 0, or one master), or use a larger host"
        yield Defect(subject="memory", message=message, fix=fix)
    elif need > machine.memory_free_mib:
        message = f"the machines need {_gib(need)} at once, and {_gib(machine.memory_free_mib)} are free"
        yield Defect(subject="memory", message=message, fix="end other programs and machines", severity="warning")


def disk(machine: Machine, planned: Planned) -> Iterator[Defect]:
    need, least = planned.here.total.disk_gib, planned.here.count * FULL_DISK_GIB
    fix = f"free space in {machine.disk_folder}, or put the pool elsewhere"
    has = f"and {machine.disk_free_gib} GiB are free in {machine.disk_folder}"
    if machine.disk_free_gib < least:
        yield Defect(subject="disk", message=f"an installation alone writes about {least} GiB, {has}", fix=fix)
    elif machine.disk_free_gib < need:
        message = f"the disks can grow to {need} GiB, {has}"
        yield Defect(subject="disk", message=message, fix=fix, severity="warning")


def fsync(machine: Machine, planned: Planned) -> Iterator[Defect]:
    if machine.fsync_ms is not None and machine.fsync_ms > SLOW_MS:
        message = f"99 of 100 synchronous writes end within {machine.fsync_ms:.1f} ms, and etcd wants {SLOW_MS:.0f}"
        fix = "put the pool on an SSD or NVMe disk of this machine, not on a network or a spinning disk"
        yield Defect(subject=machine.disk_folder, message=message, fix=fix, severity="warning")


def clock(machine: Machine, planned: Planned) -> Iterator[Defect]:
    if planned.built and planned.built > machine.now + SLACK:
        message = f"says {machine.now:%Y-%m-%d %H:%M} UTC, and the artifacts were made later: {planned.built:%F %H:%M}"
        yield Defect(subject="clock", message=message, fix="set the clock: timedatectl set-ntp true")
    elif not machine.clock_disciplined:
        message = "nothing keeps it right, and machines that differ by an hour refuse each other's certificates"
        fix = "install chrony, or run timedatectl set-ntp true"
        yield Defect(subject="clock", message=message, fix=fix, severity="warning")


def _gib(mib: int) -> str:
    return f"{mib / 1024:.0f} GiB"
