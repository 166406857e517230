"""A network of a test's own: a namespace with the plan's real addresses, and programs and sockets inside it."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

CLONE_NEWNET = 0x40000000
_LIBC = ctypes.CDLL(None, use_errno=True)
_NUMBERS = count()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextmanager
def network(addresses: Iterable[str]) -> Iterator[str]:
    """A namespace that has all these addresses itself; it is gone afterwards, whatever happens. Needs root."""
    name = f"hardway-{os.getpid()}-{next(_NUMBERS)}"
    _ip("netns", "add", name)
    try:
        _ip("-n", name, "link", "set", "lo", "up")
        for address in addresses:
            long = ["128", "nodad"] if ":" in address else ["32"]
            _ip("-n", name, "addr", "add", f"{address}/{long[0]}", "dev", "lo", *long[1:])
        yield name
    finally:
        _ip("netns", "del", name)


@contextmanager
def inside(name: str) -> Iterator[None]:
    """This thread, and threads it starts meanwhile, are in the namespace; sockets made here stay in it."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{name}", os.O_RDONLY)
    try:
        _enter(there)
        yield
    finally:
        _enter(home)
        os.close(home)
        os.close(there)


def _enter(handle: int) -> None:
    if _LIBC.setns(handle, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


@contextmanager
def program(name: str, command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs inside until the block ends."""
    with log.open("wb") as output:
        process = subprocess.Popen(["ip", "netns", "exec", name, *command], stdout=output, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
