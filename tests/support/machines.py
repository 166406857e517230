"""A machine that can carry the default cluster, to plant defects in."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hardway.checks.host.programs import PROGRAMS, Profile
from hardway.checks.host.sizes import cost
from hardway.checks.host.subject import Planned
from hardway.libvirt.choices import Choices
from hardway.tools.machine.read import Machine
from tests.support.clusters import SSH_KEY, install_config, load_cluster
from tests.support.entropy import NOW

REAL_SECRET = '{"auths":{"quay.io":{"auth":"c29tZWJvZHk6czNjcjN0"}}}'  # somebody, and a password
LEVEL_2 = ["cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"]

GOOD = Machine(
    system="debian",
    architecture="x86_64",
    cpus=32,
    cpu_flags=frozenset([*LEVEL_2, "svm"]),
    memory_mib=128 << 10,
    memory_free_mib=120 << 10,
    disk_folder="/var/lib/libvirt/images",
    disk_free_gib=2000,
    kvm="ready",
    programs={row.name: f"{row.name} version {row.minimum}.1" for row in PROGRAMS},
    addresses=frozenset({"203.0.113.7", "192.168.126.1", "192.168.126.10", "192.168.126.11"}),
    neighbours={"203.0.113.1": "02:00:00:00:00:01"},
    listening=frozenset({("tcp", "0.0.0.0", 22), ("udp", "127.0.0.53", 53), ("tcp", "192.168.126.10", 6443)}),
    now=NOW,
    clock_disciplined=True,
    selinux="enforcing",
    selinux_booleans={"haproxy_connect_any": True},
    firewall_zones={"libvirt": frozenset(["6443/tcp", "22623/tcp", "80/tcp", "443/tcp", "8443/tcp", "dns"])},
    fsync_ms=2.5,
)


def machine(**changes: Any) -> Machine:
    return replace(GOOD, **changes)


def without(name: str) -> Machine:
    return machine(programs={k: v for k, v in GOOD.programs.items() if k != name})


def planned(profile: Profile = "libvirt", choices: Choices | None = None, **config: Any) -> Planned:
    given = {"pullSecret": REAL_SECRET, "sshKey": SSH_KEY} | config
    cluster = load_cluster(install_config(**given)).cluster
    return Planned(
        cluster=cluster,
        cost=cost(cluster, choices),
        here=cost(cluster, choices),
        profile=profile,
        built=NOW - timedelta(hours=1),
    )
