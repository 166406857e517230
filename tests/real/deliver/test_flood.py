"""A flood of half-open connections: the kernel answers each with a cookie and keeps nothing, so nobody is in the way.

Linux keeps a SYN in a queue until the third packet of the handshake. Once the queue of a listener is full, as it is
after BACKLOG of them, the number in the kernel's answer is a cookie, and whoever returns it is connected
(net.ipv4.tcp_syncookies: 1 unless the administrator changes it). A sender with a made-up address never sees it.
"""

from __future__ import annotations

import random
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardway.deliver.server import BACKLOG
from tests.support.delivery import HOST, folder_of, serving
from tests.support.netns import inside, network

STRANGERS = "10.0.0.0/8"  # nobody's: what is sent there by way of lo vanishes


def checksum(data: bytes) -> int:
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


def syn(source: str, port: int, to: int, number: int) -> bytes:
    """The packet that asks for a connection, from an address of our choice."""
    sender, receiver = socket.inet_aton(source), socket.inet_aton(HOST)

    def segment(check: int) -> bytes:
        return struct.pack("!HHIIBBHHH", port, to, number, 0, 5 << 4, 2, 65535, check, 0)

    whole = segment(checksum(sender + receiver + struct.pack("!BBH", 0, 6, 20) + segment(0)))
    return struct.pack("!BBHHHBBH4s4s", 0x45, 0, 40, 0, 0, 64, 6, 0, sender, receiver) + whole


@contextmanager
def flood(port: int, sent: list[int]) -> Iterator[None]:
    """Without a pause, each from another address; made-up ones, so the third packet never comes."""
    ended, choice = threading.Event(), random.Random(1)
    packets = [
        syn(f"10.9.{n >> 8}.{n & 255}", choice.randint(1024, 65535), port, choice.getrandbits(32))
        for n in range(256, 256 + 20_000)
    ]
    raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)

    def send() -> None:
        while not ended.is_set():
            for packet in packets:
                raw.sendto(packet, (HOST, 0))
                sent[0] += 1
                if ended.is_set():
                    return

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        raw.close()


def counted(name: str) -> int:
    """Of the kernel's figures about TCP, in the namespace of this thread."""
    names, values = [line.split() for line in Path("/proc/thread-self/net/netstat").read_text().splitlines()[:2]]
    return int(values[names.index(name)])


@pytest.fixture
def apart() -> Iterator[None]:
    """A network of the test's own, with a way to the made-up addresses that ends in nothing."""
    with network([]) as name, inside(name):
        subprocess.run(["ip", "route", "add", STRANGERS, "dev", "lo"], check=True)
        yield


@pytest.mark.usefixtures("apart")
def test_a_planned_machine_gets_its_file_while_syns_come_without_end(tmp_path: Path):
    """Each of the nodes, one after the other; the queue was full all the while."""
    sent = [0]
    with serving(folder_of(tmp_path / "cluster")) as running, flood(running.port, sent):
        while counted("SyncookiesSent") < BACKLOG:
            assert sent[0] < 1_000_000, "the kernel never sent a cookie"
            time.sleep(0.01)
        before = counted("SyncookiesSent")
        for node in ("bootstrap", "master-0", "master-1", "master-2"):
            assert running.request(running.path(node)) == (200, running.content(node))
        assert counted("SyncookiesSent") > before
