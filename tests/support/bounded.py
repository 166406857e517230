"""A child with little memory: what an attack does to it is seen from outside, be it a signal."""

from __future__ import annotations

import re
import resource
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

from tests.support.forked import forked

MEMORY = 300 << 20
"""Bytes of address space that a reader may take, whatever it is given."""
SECONDS = 60
"""Of processor time: a busy machine is no attack."""


def limit_memory(memory: int = MEMORY) -> None:
    """Called when all modules are imported: what they take is not the reader's. Whatever is beyond is a MemoryError."""
    match = re.search(r"VmSize:\s+(\d+) kB", Path("/proc/self/status").read_text())
    taken = int(match[1]) << 10 if match else 0
    resource.setrlimit(resource.RLIMIT_AS, (taken + memory, resource.RLIM_INFINITY))


def bounded(attack: Callable[[], object], seconds: int = SECONDS) -> CompletedProcess[str]:
    def call() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        limit_memory()
        attack()

    return forked(call)
