"""The kernel's text files, parsed."""

from __future__ import annotations

import os
import re
import socket
import tempfile
import time
from collections.abc import Iterator
from ipaddress import IPv6Address
from pathlib import Path

PROC = Path("/proc")
LISTEN = {"tcp": "0A", "tcp6": "0A", "udp": "07", "udp6": "07"}  # the state of a socket that waits for anybody
PROBES = 200
PROBE_BYTES = 2300  # about what etcd writes at once


def _text(name: str) -> str:
    try:
        return (PROC / name).read_text()
    except OSError:
        return ""


def cpu_flags() -> frozenset[str]:
    found = re.search(r"^flags\s*:(.*)$", _text("cpuinfo"), re.MULTILINE)
    return frozenset(found[1].split()) if found else frozenset()


def memory() -> dict[str, int]:
    """In KiB, by the kernel's names."""
    return {name: int(kib) for name, kib in re.findall(r"^(\w+):\s+(\d+)", _text("meminfo"), re.MULTILINE)}


def addresses() -> frozenset[str]:
    """Every address of this machine, loopback's apart."""
    four = re.findall(r"\|-- (\S+)\s+/32 host LOCAL", _text("net/fib_trie"))
    six = (str(IPv6Address(int(line.split()[0], 16))) for line in _text("net/if_inet6").splitlines())
    return frozenset(a for a in (*four, *six) if not a.startswith("127.") and a != "::1")


def neighbours() -> dict[str, str]:
    """Who answered on the local networks lately: address to hardware address."""
    rows = (line.split() for line in _text("net/arp").splitlines()[1:])
    return {row[0]: row[3].lower() for row in rows if len(row) > 3 and row[3] != "00:00:00:00:00:00"}


def listening() -> frozenset[tuple[str, str, int]]:
    return frozenset(_listening())


def _listening() -> Iterator[tuple[str, str, int]]:
    for table, state in LISTEN.items():
        for line in _text(f"net/{table}").splitlines()[1:]:
            words = line.split()
            if words[3] == state:
                address, port = words[1].split(":")
                yield table.removesuffix("6"), _address(address), int(port, 16)


def _address(text: str) -> str:
    """The kernel writes addresses in words of the machine's own byte order."""
    raw = bytes.fromhex(text)
    ordered = b"".join(raw[i : i + 4][::-1] for i in range(0, len(raw), 4))
    return socket.inet_ntop(socket.AF_INET6 if len(raw) == 16 else socket.AF_INET, ordered)


def family() -> str:
    """The distribution's family, by which packages are named."""
    try:
        text = Path("/etc/os-release").read_text()
    except OSError:
        return "unknown"
    words: dict[str, str] = dict(re.findall(r'^(ID|ID_LIKE)="?([^"\n]*)"?$', text, re.MULTILINE))
    likes = [words.get("ID", "unknown"), *words.get("ID_LIKE", "").split()]
    return next((name for name in likes if name in ("debian", "fedora")), likes[0])


def zones(text: str) -> dict[str, frozenset[str]]:
    """What `firewall-cmd --list-all-zones` says: ports, services and rich rules by zone; `*` where all is let in.

    libvirt's own zone accepts what is passed on, and rejects in its last rule what is for the host itself.
    """
    found: dict[str, frozenset[str]] = {}
    for block in re.split(r"\n(?=\S)", text):
        lines = dict(re.findall(r"^\s+(ports|services|target): *(.*)$", block, re.MULTILINE))
        if name := block.split(maxsplit=1)[:1]:
            allowed = f"{lines.get('ports', '')} {lines.get('services', '')}".split()
            rules = re.findall(r"^\s+(rule .*?)\s*$", block, re.MULTILINE)
            closed = any(re.fullmatch(r'rule( priority="\d+")? (reject|drop)', rule) for rule in rules)
            whole = ["*"] if lines.get("target") == "ACCEPT" and not closed else []
            found[name[0]] = frozenset([*allowed, *rules, *whole])
    return found


def fdatasync_ms(folder: Path) -> float:
    """The 99th percentile of small synchronous writes, as etcd's log makes them; a fixed number of them."""
    taken = []
    with tempfile.TemporaryFile(dir=folder) as probe:
        for _ in range(PROBES):
            probe.write(b"\0" * PROBE_BYTES)
            probe.flush()
            started = time.monotonic()
            os.fdatasync(probe.fileno())
            taken.append(time.monotonic() - started)
    return sorted(taken)[PROBES * 99 // 100 - 1] * 1000
