"""What machines say when they are asked: units, sockets and resolv.conf, each with a defect in it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from hardway.checks.nodes.ports import numbers
from hardway.checks.nodes.resolvers import listed
from hardway.checks.nodes.subject import RunningNodes
from hardway.checks.nodes.table import TABLE
from hardway.model.check import run
from hardway.model.errors import ToolError
from hardway.tools.run import Done
from tests.support.clusters import load_cluster

CLUSTER = load_cluster().cluster
SOCKETS = "  sl  local_address rem_address   st\n   0: 00000000:{:04X} 00000000:0000 0A\n"
RESOLV = f"search x\nnameserver {CLUSTER.dns_servers[0]}\n"


class Machines:
    """Machines that are on; what they print is given by the first word of the command, and by their name."""

    def __init__(self, said: dict[tuple[str, str], str], off: tuple[str, ...] = ()) -> None:
        self.said, self.off = said, off

    def running(self, node: str) -> bool:
        return node not in self.off

    def run(self, node: str, argv: list[str]) -> Done:
        key = argv[-1] if argv[0] == "cat" else argv[0]
        default = RESOLV if key == "/etc/resolv.conf" else ""
        text = self.said.get((node, key), default)
        if text == "unreachable":
            raise ToolError(f"{node}: cannot be asked")
        return Done(command=tuple(argv), code=0, output=text, errors="")


def found(said=(), off=()):
    machines: Any = Machines(dict(said), off)
    with ThreadPoolExecutor(4) as pool:
        on = tuple(node for node in CLUSTER.nodes if machines.running(node.name))
        findings = run(TABLE, RunningNodes(cluster=CLUSTER, machines=machines, pool=pool, on=on)).findings
    return [(f.check, f.subject, f.failure) for f in findings]


def test_machines_without_a_defect_have_no_finding():
    assert found() == []


EXEC = "planted.service: Failed at step EXEC spawning /x: Permission denied\nplanted.service: Failed with result\n"
PLANTED = {
    "a unit has failed": (
        {("worker-0", "systemctl"): "planted.service loaded failed failed x\n", ("worker-0", "journalctl"): EXEC},
        ("nodes.units", "worker-0 planted.service", "F24"),
    ),
    "a kubelet starts again and again without its CA": (
        {
            ("master-0", "systemctl"): "kubelet.service loaded activating auto-restart x\n",
            ("master-0", "journalctl"): "run.go:72] unable to load client CA file /etc/kubernetes/kubelet-ca.crt\n",
        },
        ("nodes.units", "master-0 kubelet.service", "F23"),
    ),
    "a unit fails with words that nobody knows": (
        {("worker-0", "systemctl"): "a.service loaded failed failed x\n", ("worker-0", "journalctl"): "sorry\n"},
        ("nodes.units", "worker-0 a.service", ""),
    ),
    "no name server": ({("worker-1", "/etc/resolv.conf"): "search x\n"}, ("nodes.resolvers", "", "F03")),
    "another name server first": (
        {("worker-1", "/etc/resolv.conf"): f"nameserver 8.8.8.8\n{RESOLV}"},
        ("nodes.resolvers", "", "F55"),
    ),
}


@pytest.mark.parametrize(("said", "expected"), PLANTED.values(), ids=PLANTED)
def test_what_is_planted_is_found_and_nothing_else(said, expected):
    [(check, subject, failure)] = found(said)
    assert (check, failure) == (expected[0], expected[2])
    assert expected[1] in subject


@pytest.mark.parametrize(("port", "source", "failure"), [(2380, "master-1", "F30"), (6443, "worker-0", "F47")])
def test_a_port_that_listens_and_cannot_be_reached_is_closed_by_a_firewall(port, source, failure):
    said = {("master-0", "/proc/net/tcp6"): SOCKETS.format(port), (source, "bash"): f"master-0:{port}\n"}
    [(check, subject, mode)] = found(said)
    assert (check, mode) == ("nodes.ports", failure)
    assert subject.startswith("master-0 (")


def test_a_port_on_which_nobody_listens_is_not_tried():
    assert found({("worker-0", "bash"): "master-0:6443\n"}) == []


def test_a_worker_does_not_need_the_port_of_etcds_members():
    said = {("master-0", "/proc/net/tcp6"): SOCKETS.format(2380), ("worker-0", "bash"): "master-0:2380\n"}
    assert found(said) == []


def test_a_machine_that_is_off_or_cannot_be_asked_is_left_out():
    broken = {("worker-0", "/etc/resolv.conf"): "", ("worker-1", "/etc/resolv.conf"): "unreachable"}
    assert found(broken, off=("worker-0",)) == []


def test_the_kernels_table_and_resolv_conf_are_read_as_they_are():
    assert numbers(SOCKETS.format(6443) + "   1: 0100007F:0050 00000000:0000 01\nx\n") == {6443}
    assert listed("# nameserver 1\nnameserver 192.0.2.1\nnameserver\noptions x\n") == ["192.0.2.1"]
