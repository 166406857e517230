"""`hardway network check` against real servers with one defect planted: it names that defect and no other."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from hardway.checks.failures import BY_ID
from hardway.checks.network import dns as probe_dns
from hardway.checks.network import mirrors
from hardway.checks.network import ports as probe_ports
from hardway.checks.network.haproxy import table
from hardway.cli.network import network as command
from tests.support.balancer import running_haproxy
from tests.support.dns.defects import DEFECTS
from tests.support.dns.servers import running_dnsmasq, running_named
from tests.support.netns import inside
from tests.support.probing import check


@pytest.mark.parametrize("server", [running_dnsmasq, running_named], ids=["dnsmasq", "named"])
def test_nothing_is_found_where_all_is_as_planned(server, net, workspace, cluster, tmp_path):
    with running_haproxy(net, tmp_path, cluster), server(net, tmp_path, cluster):
        code, found, report = check(net, workspace)
    assert (code, found) == (0, set())
    assert {(p["frontend"], p["state"]) for p in report["ports"]} == {
        (name, "closed") for name in ("api", "machine-config", "ingress-http", "ingress-https")
    }


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_wrong_record_is_found_and_nothing_else(defect, net, workspace, cluster, tmp_path):
    change, wanted = DEFECTS[defect]
    with running_haproxy(net, tmp_path, cluster), running_dnsmasq(net, tmp_path, cluster, change):
        code, found, report = check(net, workspace)
    assert found == {wanted}, report["findings"]
    assert code == (4 if wanted[2] == "error" else 0)
    assert all(f["effect"] and f["fix"] for f in report["findings"])


def test_a_name_server_that_is_not_there(net, workspace, cluster, tmp_path):
    with running_haproxy(net, tmp_path, cluster):
        code, found, _ = check(net, workspace)
    assert (code, found) == (4, {("dns.server", "F03", "error")})


def test_one_of_two_name_servers_is_wrong(net, workspace, cluster, tmp_path):
    """Nodes ask either of them: each must be right."""
    both = lambda text: f"{text}listen-address=192.168.126.100\n"  # noqa: E731
    with running_haproxy(net, tmp_path, cluster), running_dnsmasq(net, tmp_path, cluster, both):
        code, found, report = check(net, workspace, "--dns", cluster.dns_servers[0], "--dns", "192.168.126.100:53")
        assert (code, found) == (0, set())
        code, found, report = check(net, workspace, "--dns", cluster.dns_servers[0], "--dns", "192.168.126.100:5353")
    assert [f["subject"] for f in report["findings"]] == ["192.168.126.100:5353"]


def test_people_read_what_is_wrong_what_it_costs_and_the_fix(net, workspace, cluster, tmp_path):
    change = DEFECTS["api-int-is-a-master"][0]
    with running_haproxy(net, tmp_path, cluster), running_dnsmasq(net, tmp_path, cluster, change), inside(net):
        done = CliRunner().invoke(command, ["check"], obj=workspace.folder)
    assert (
        "error: api-int.ocp4.example.com: 192.168.126.1 says 192.168.126.101, which is master-0; expected: "
        "192.168.126.10 [dns.balancer] (F04)\n    effect: a node connects to a machine that has no API yet"
    ) in done.stdout
    assert str(done.exception) == "the network is not as planned: 1 error"


def test_every_probe_has_its_reason_and_a_failure_that_exists():
    rows: tuple[Any, ...] = (*probe_dns.TABLE, *probe_ports.TABLE, *table.TABLE, *mirrors.TABLE)
    for probe in rows:
        assert all((probe.why.what, probe.why.readers, probe.why.breaks, probe.why.source)), probe.name
        assert not probe.failure or probe.failure in BY_ID
    done = CliRunner().invoke(command, ["check", "--list"], obj=None)
    assert [line.split()[0] for line in done.stdout.splitlines()] == [row.name for row in rows]
