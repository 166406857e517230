"""Each prerequisite of a lab finds its defect, and is silent on a machine without it; this machine's facts are read."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from hardway.checks.host.lab import PROGRAMS, TABLE, LabHost
from hardway.lab import prerequisites
from hardway.lab.site import site
from hardway.model.check import run
from hardway.model.errors import ToolError
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


def test_everything_that_is_missing_is_said_at_once(tmp_path):
    """Asked by somebody who is not root and has no programs, for a folder that others cannot get to."""
    code = """
import os, sys
from pathlib import Path
from hardway.lab import prerequisites, site
from tests.support.clusters import load_cluster
cluster = load_cluster().cluster
os.setuid(65534)
prerequisites.demand(site.site("demo", Path(sys.argv[1]) / "closed" / "lab"), cluster)
"""
    (tmp_path / "closed").mkdir(mode=0o700)
    environment = {"PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "this machine cannot carry the lab demo yet" in done.stderr
    assert "fix: run it with sudo" in done.stderr
    for name in ("mmdebstrap", "systemd-nspawn", "haproxy"):
        assert f"the program {name} is missing [lab.programs]" in done.stderr
        assert f"fix: apt-get install {PROGRAMS[name]}" in done.stderr
    assert "lets nobody through" in done.stderr


def test_a_kernel_that_lets_too_few_files_be_watched_is_named_with_its_remedy(tmp_path, monkeypatch):
    limit = tmp_path / "max_user_instances"
    monkeypatch.setattr(prerequisites, "INOTIFY", limit)
    limit.write_text("128\n")
    with pytest.raises(ToolError, match=r"sysctl --write fs\.inotify\.max_user_instances=8192"):
        prerequisites.demand(site("demo", tmp_path / "lab"), CLUSTER)
    limit.write_text("8192\n")
    findings = run(TABLE, prerequisites.look(site("demo", tmp_path / "lab"), CLUSTER)).findings
    assert "lab.inotify" not in {f.check for f in findings}
