"""The device policy of a cgroup v2 group: a program in the kernel that is asked at every opening of a device.

Such a group has no file for devices. The program is written out here, instruction by instruction, from rows of allowed
devices; the kernel checks it and keeps it as long as the group is there.
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import pack

CALL = {"x86_64": 321, "aarch64": 280}
LOAD, ATTACH = 5, 8  # commands of the call
CGROUP_DEVICE_PROGRAM, CGROUP_DEVICE, ALLOW_MULTI = 15, 6, 2
KINDS = {"b": 1, "c": 2}
ACCESS = {"m": 1, "r": 2, "w": 4}
# Operations, by the kernel's numbers.
LOAD_WORD, COPY, AND, SHIFT_RIGHT, SET, JUMP_UNLESS, EXIT = 0x61, 0xBF, 0x57, 0x77, 0xB7, 0x55, 0x95
ANSWER, CONTEXT, KIND, WANTED, MAJOR, MINOR, SCRATCH = 0, 1, 2, 3, 4, 5, 6  # registers
Rule = tuple[str, int | None, int | None, str]  # kind, major, minor (None: any), access
_libc = ctypes.CDLL(None, use_errno=True)


def _step(operation: int, target: int = 0, source: int = 0, offset: int = 0, value: int = 0) -> bytes:
    return pack("<BBhi", operation, target | source << 4, offset, value)


def program(rules: Sequence[Rule]) -> bytes:
    """Yes at the first rule that has the device and all that is wanted of it; no after the last."""
    begin = [
        _step(LOAD_WORD, KIND, CONTEXT, 0),
        _step(COPY, WANTED, KIND),
        _step(AND, KIND, value=0xFFFF),
        _step(SHIFT_RIGHT, WANTED, value=16),
        _step(LOAD_WORD, MAJOR, CONTEXT, 4),
        _step(LOAD_WORD, MINOR, CONTEXT, 8),
    ]
    end = [_step(SET, ANSWER, value=0), _step(EXIT)]
    return b"".join([*begin, *(step for rule in rules for step in _rule(rule)), *end])


def _rule(rule: Rule) -> Iterator[bytes]:
    kind, major, minor, access = rule
    denied = sum(ACCESS.values()) & ~sum(ACCESS[letter] for letter in access)
    tests = [(KIND, KINDS[kind]), *((MAJOR, n) for n in [major] if n is not None)]
    tests += [(MINOR, n) for n in [minor] if n is not None]
    left = len(tests) + 5  # steps of this rule
    for register, value in tests:
        left -= 1
        yield _step(JUMP_UNLESS, register, offset=left, value=value)
    yield _step(COPY, SCRATCH, WANTED)
    yield _step(AND, SCRATCH, value=denied)
    yield _step(JUMP_UNLESS, SCRATCH, offset=2, value=0)
    yield _step(SET, ANSWER, value=1)
    yield _step(EXIT)


def attach(group: Path, rules: Sequence[Rule]) -> None:
    """For the group and all below it, which may deny more and allow nothing more."""
    code = ctypes.create_string_buffer(program(rules))
    licence = ctypes.create_string_buffer(b"GPL")
    size = (len(code) - 1) // len(_step(EXIT))
    loading = pack("<IIQQ", CGROUP_DEVICE_PROGRAM, size, ctypes.addressof(code), ctypes.addressof(licence))
    handle = _call(LOAD, loading.ljust(120, b"\0"))
    place = os.open(group, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _call(ATTACH, pack("<IIII", place, handle, CGROUP_DEVICE, ALLOW_MULTI).ljust(32, b"\0"))
    finally:
        os.close(place)
        os.close(handle)


def _call(command: int, attributes: bytes) -> int:
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    found: int = _libc.syscall(CALL[platform.machine()], command, buffer, len(attributes))
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), "bpf")
    return found
