"""A child with little memory: what an attack does to it is seen from outside, be it a signal."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

MEMORY = 300 << 20
"""Bytes of address space that a reader may take, whatever it is given."""
SECONDS = 60
"""Of processor time: a busy machine is no attack."""


def limit_memory(memory: int = MEMORY) -> None:
    """Called when all modules are imported: what they take is not the reader's. Whatever is beyond is a MemoryError."""
    match = re.search(r"VmSize:\s+(\d+) kB", Path("/proc/self/status").read_text())
    taken = int(match[1]) << 10 if match else 0
    resource.setrlimit(resource.RLIMIT_AS, (taken + memory, resource.RLIM_INFINITY))


def in_child(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that has imported what it needs and calls `limit_memory` before the attack."""
    command = [sys.executable, "-c", f"from tests.support.bounded import limit_memory\n{code}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=_bounds)


def _bounds() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
