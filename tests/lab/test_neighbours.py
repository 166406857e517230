"""The machine, as a hostile node on the lab's network finds it: what it does not believe, and does not pass on."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hardway.lab import network
from tests.lab.machines import cluster_of, lab_place
from tests.support.waiting import until

STRANGER = "198.51.100.7"  # nobody's, and no network of this machine
SENDS = """
import socket, sys
source, target, port = sys.argv[1:]
body = int(port).to_bytes(2, "big") * 2 + (12).to_bytes(2, "big") + bytes(2) + b"word"
head = bytes.fromhex("450000200000000040110000") + socket.inet_aton(source) + socket.inet_aton(target)
with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as raw:
    raw.sendto(head + body, (target, 0))
"""
ADVERTISES = """
import socket
place = socket.inet_pton(socket.AF_INET6, "2001:db8:bad::")
prefix = bytes([3, 4, 64, 0xC0]) + (3600).to_bytes(4, "big") * 2 + bytes(4) + place
with socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) as raw:
    raw.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
    body = bytes([134, 0, 0, 0, 64, 0]) + (1800).to_bytes(2, "big") + bytes(8) + prefix
    raw.sendto(body, ("ff02::1", 0, 0, socket.if_nametoindex("eth0")))
"""


class Hostile:
    """A node that has set its address, and runs programs of its choice on its card."""

    def __init__(self, paths, cluster):
        self.paths, self.cluster, self.node = paths, cluster, cluster.masters[0]
        self.machine = network.machine_addresses(cluster)[0]
        network.attach(paths, cluster, self.node, running=False)
        self.ip("address", "add", f"{self.node.address}/{cluster.machine_networks[0].prefixlen}", "dev", network.CARD)
        self.ip("link", "set", "dev", network.CARD, "up")

    def ip(self, *words):
        space = ["ip", "-netns", self.paths.namespace(self.node.name)]
        subprocess.run([*space, *words], check=True)

    def run(self, code, *words):
        inside = network.command(self.paths, self.node.name, [sys.executable, "-c", code, *map(str, words)])
        subprocess.run(inside, check=True, capture_output=True)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    cluster = cluster_of(tmp_path_factory.mktemp("cluster"))
    with lab_place(f"n{os.getpid()}") as paths:
        network.up(paths, cluster)
        yield Hostile(paths, cluster)


def test_a_packet_with_a_strangers_address_is_not_believed(hostile):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind((hostile.machine, 0))
        listening.settimeout(30)
        port = listening.getsockname()[1]
        hostile.run(SENDS, STRANGER, hostile.machine, port)
        hostile.run(SENDS, hostile.node.address, hostile.machine, port)
        _, sender = listening.recvfrom(99)
    assert sender == (hostile.node.address, port)  # it came second, and is the first that arrived


def test_a_router_that_a_node_claims_to_be_is_not_believed(hostile):
    """The machine would send all its IPv6 traffic there."""
    until(lambda: "link" in addresses(hostile), lambda: "the card has no address of its own yet")
    hostile.run(ADVERTISES)
    hostile.run(SENDS, hostile.node.address, hostile.machine, 9)
    shown = subprocess.run(["ip", "-6", "-json", "route"], capture_output=True, text=True, check=True).stdout
    assert hostile.paths.link not in {row["dev"] for row in json.loads(shown) if row["dst"] == "default"}
    assert "2001:db8:bad" not in json.dumps(addresses(hostile, netns=False))


def addresses(hostile, *, netns=True):
    space = ["-netns", hostile.paths.namespace(hostile.node.name)] if netns else []
    shown = subprocess.run(["ip", *space, "-6", "-json", "address"], capture_output=True, text=True, check=True).stdout
    rows = [row for card in json.loads(shown) for row in card.get("addr_info", []) if not row.get("tentative")]
    return {row["scope"]: row["local"] for row in rows} if netns else rows


def test_nothing_of_a_node_is_passed_on_to_other_networks(hostile):
    """Not even on a machine that is a router between others: each of its cards says for itself what it passes on."""
    for family in ("ipv4", "ipv6"):
        assert Path(f"/proc/sys/net/{family}/conf/{hostile.paths.link}/forwarding").read_text().strip() == "0"
