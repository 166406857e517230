"""The ways to fail that machine, network, load balancer and machines of libvirt can show: each has its check."""

from __future__ import annotations

from typing import Any

import pytest

from hardway.checks.files.table import TABLE as FILES
from hardway.checks.host.table import TABLE as PREREQUISITES
from hardway.checks.network.dns import TABLE as DNS
from hardway.checks.network.haproxy.table import TABLE as HAPROXY
from hardway.checks.network.ports import TABLE as PORTS
from tests.unit.libvirt.test_drift import MACHINE, NETWORK

DRIFT = {row[3]: f"infra plan: {name}" for name, row in {**MACHINE, **NETWORK}.items()}
COVERED = {
    "F02": {"host.clock", "pki.not-before", "infra plan: clock"},
    "F03": {"dns.server", "ignition.complete"},
    "F04": {"dns.balancer"},
    "F05": {"lb.machine-config"},
    "F15": {"dns.nodes", "dns.reverse"},
    "F16": {"ignition.network", "infra plan: board"},
    "F17": {"ignition.modes"},
    "F25": {"lb.api", "haproxy.mode", "haproxy.timeouts", "haproxy.checks", "haproxy.pace"},
    "F26": {"host.ports", "host.selinux", "host.firewall", "lb.listens", "haproxy.bind"},
    "F34": {"dns.catch-all"},
    "F37": {"host.fsync", "infra plan: cache"},
    "F38": {"host.memory", "host.disk", "planned.sizes", "infra plan: processors"},
    "F39": {"host.cpu", "infra plan: model"},
    "F44": {"dns.api"},
    "F40": {"planned.live-memory", "infra plan: too-little-memory"},
}


@pytest.mark.parametrize("failure", COVERED)
def test_a_failure_has_its_checks(failure: str):
    rows: tuple[Any, ...] = (*FILES, *PREREQUISITES, *DNS, *PORTS, *HAPROXY)
    found = {row.name for row in rows if row.failure == failure} | {DRIFT.get(failure, "")}
    assert found >= COVERED[failure]
