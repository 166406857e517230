"""Each prerequisite of a lab finds its defect, and is silent on a machine without it."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from hardway.checks.host.lab import PROGRAMS, TABLE, LabHost
from hardway.model.check import run
from tests.support.clusters import load_cluster

CLUSTER = load_cluster().cluster
GOOD = LabHost(
    root=True,
    programs=frozenset(PROGRAMS),
    overlay=True,
    bridge_filter=True,
    watchers=8192,
    devices={"bridge": True, "veth": True},
    groups="v2",
    systemd_group=None,
    folder=Path("/var/lib/hardway/labs/demo"),
    closed=(),
    on_overlay=None,
    link="demo",
    mark="hardway /var/lib/hardway/labs/demo",
    marked=None,
    networks=CLUSTER.machine_networks,
    routes=((ip_network("10.0.0.0/8"), "eth0"),),
)
PLANTED = [
    ("lab.root", {"root": False}, "run it with sudo"),
    ("lab.programs", {"programs": frozenset(PROGRAMS) - {"systemd-nspawn"}}, "apt-get install systemd-container"),
    ("lab.overlay", {"overlay": False}, "modprobe overlay"),
    ("lab.bridge-filter", {"bridge_filter": False}, "modprobe br_netfilter"),
    ("lab.devices", {"devices": {"bridge": True, "veth": False}}, "modprobe veth"),
    ("lab.inotify", {"watchers": 128}, "sysctl --write fs.inotify.max_user_instances=8192"),
    ("lab.control-groups", {"groups": None}, "mount -t cgroup2 none /sys/fs/cgroup"),
    ("lab.control-groups", {"groups": "v1", "systemd_group": Path("/sys/fs/cgroup/systemd")}, "name=systemd"),
    ("lab.socket-path", {"folder": Path("/", "x" * 90)}, "at most 80 characters"),
    ("lab.way-in", {"closed": (Path("/root"),)}, "chmod o+x /root"),
    ("lab.disk", {"on_overlay": Path("/")}, "a folder on a disk"),
    ("lab.interface", {"marked": "hardway /elsewhere/demo"}, "another name"),
    ("lab.network", {"routes": ((ip_network("192.168.126.0/25"), "virbr0"),)}, "networking.machineNetwork"),
]


def test_a_good_machine_has_no_findings():
    report = run(TABLE, GOOD)
    assert (report.findings, dict(report.skipped)) == ((), {})


@pytest.mark.parametrize(("check", "change", "fix"), PLANTED, ids=[" ".join([r[0], *r[1]]) for r in PLANTED])
def test_a_planted_defect_is_found_and_nothing_else(check, change, fix):
    [finding] = run(TABLE, replace(GOOD, **change)).findings
    assert finding.check == check
    assert fix in finding.fix


def test_every_row_has_a_planted_defect_and_a_whole_reason():
    assert {row[0] for row in PLANTED} == {check.name for check in TABLE}
    for check in TABLE:
        assert all((check.why.what, check.why.readers, check.why.breaks, check.why.source)), check.name


def test_the_labs_own_interface_and_route_are_no_defect():
    there = replace(GOOD, marked=GOOD.mark, routes=((ip_network("192.168.126.0/24"), GOOD.link),))
    assert run(TABLE, there).findings == ()


def test_what_cannot_be_looked_at_is_skipped_with_its_reason():
    blind = replace(GOOD, root=False, programs=frozenset(PROGRAMS) - {"ip"}, devices=None, routes=None)
    report = run(TABLE, blind)
    assert {f.check for f in report.findings} == {"lab.root", "lab.programs"}
    assert set(report.skipped) == {"lab.devices", "lab.network"}
    assert all(report.skipped.values())
