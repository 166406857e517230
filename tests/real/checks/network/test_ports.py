"""The load balancer with one defect planted: `hardway network check` names it and no other."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager

import pytest

from hardway.checks.network.ports import TABLE as PROBES
from hardway.checks.network.target import Target
from hardway.model.entropy import SystemEntropy
from hardway.network.frontends import TABLE
from hardway.network.haproxy.runtime import servers
from hardway.network.ports import Seen
from tests.support.backends import backend, serving
from tests.support.balancer import running_haproxy
from tests.support.dns.servers import running_dnsmasq
from tests.support.netns import inside, network
from tests.support.probing import check, swap
from tests.support.waiting import until

BALANCER = {
    "no-listener": (
        swap("    bind 192.168.126.10:22623\n", "    bind 127.0.0.1:22623\n"),
        ("lb.listens", "F26", "error"),
    ),
    "http-mode": (
        lambda text: text.replace("\nfrontend api\n", "\nfrontend api\n    mode http\n").replace(
            "\nbackend api\n", "\nbackend api\n    mode http\n"
        ),
        ("lb.api", "F25", "error"),
    ),
}


@pytest.mark.parametrize("defect", BALANCER)
def test_a_wrong_port_is_found_and_nothing_else(defect, net, workspace, cluster, tmp_path):
    change, wanted = BALANCER[defect]
    with running_haproxy(net, tmp_path, cluster, change), running_dnsmasq(net, tmp_path, cluster):
        code, found, report = check(net, workspace)
    assert (code, found) == (4, {wanted}), report


def test_an_address_that_the_load_balancer_does_not_have(workspace, cluster, tmp_path):
    with network([*cluster.api_vips, *cluster.dns_servers]) as net, ExitStack() as stack:
        stack.enter_context(running_haproxy(net, tmp_path, cluster, swap("192.168.126.11:", "127.0.0.1:")))
        stack.enter_context(running_dnsmasq(net, tmp_path, cluster))
        code, found, report = check(net, workspace)
    assert (code, found) == (4, {("lb.listens", "F26", "error")})
    assert sorted(f["subject"] for f in report["findings"]) == ["192.168.126.11:443", "192.168.126.11:80"]


def test_an_api_that_is_not_ready_gets_traffic_from_a_balancer_that_does_not_ask(net, workspace, cluster, tmp_path):
    def unchecked(text):
        return text.replace("check check-ssl verify none", "")

    with (
        running_haproxy(net, tmp_path, cluster, unchecked),
        running_dnsmasq(net, tmp_path, cluster),
        ExitStack() as stack,
    ):
        with inside(net):
            for node in (cluster.bootstrap, *cluster.masters):
                tls = serving(workspace.store.root / "tls")
                stack.enter_context(backend(node.name, node.address, 6443, tls)).ready = False
        code, found, report = check(net, workspace)
    assert (code, found) == (4, {("lb.api", "F25", "error")})
    assert "/readyz answers 500" in report["findings"][0]["message"]


@contextmanager
def whole_cluster(net, workspace, cluster):
    tls = serving(workspace.store.root / "tls")
    rows = [(n, port, tls) for n in (cluster.bootstrap, *cluster.masters) for port in (6443, 22623)]
    rows += [(n, port, tls if port == 443 else None) for n in cluster.workers for port in (80, 443, 1936)]
    with ExitStack() as stack:
        with inside(net):
            found = {(n.name, p): stack.enter_context(backend(n.name, n.address, p, t)) for n, p, t in rows}
        yield found


def test_what_must_live_grows_with_the_installation(net, workspace, cluster, tmp_path):
    nobody = {
        ("lb.api", "F25", "error"),
        ("lb.machine-config", "F05", "error"),
        ("lb.ingress-http", "F33", "error"),
        ("lb.ingress-https", "F33", "error"),
    }
    with running_haproxy(net, tmp_path, cluster) as admin, running_dnsmasq(net, tmp_path, cluster):
        assert check(net, workspace, "--expect", "api")[:2] == (4, {("lb.api", "F25", "error")})
        assert check(net, workspace, "--expect", "cluster")[:2] == (4, nobody)
        with whole_cluster(net, workspace, cluster):
            until(lambda: {s.status for s in servers(admin)} == {"UP"})
            code, found, report = check(net, workspace, "--expect", "cluster")
    assert (code, found) == (0, set())
    assert {p["frontend"]: p["state"] for p in report["ports"]} == {
        "api": "answers (/readyz 200)",
        "machine-config": "answers (/healthz 200)",
        "ingress-http": "answers",
        "ingress-https": "answers",
    }


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (500, "not ready"),
        (503, "not ready"),
        (401, "requires an identity"),
        (403, "requires an identity"),
        (426, "does not come from OpenShift"),
        (200, ""),
    ],
)
def test_what_the_health_endpoint_says_has_a_meaning(status, says, cluster):
    target = Target(cluster=cluster, servers=(), entropy=SystemEntropy(), expect="balancer")
    target.seen = [Seen(frontend=TABLE[0], address="192.168.126.10", state="answers", status=status)]
    found = [flaw.message for probe in PROBES for flaw in probe.run(target)]
    assert [says in message for message in found] == ([True] if says else [])


@pytest.mark.parametrize(("expect", "pods"), [("balancer", False), ("api", False), ("cluster", True)])
def test_before_the_machines_boot_nobody_is_sent_to_their_pods(expect, pods, cluster):
    target = Target(cluster=cluster, servers=(), entropy=SystemEntropy(), expect=expect)
    target.seen = [Seen(frontend=TABLE[1], address="192.168.126.10", state="answers", status=426)]
    (flaw,) = [flaw for probe in PROBES for flaw in probe.run(target)]
    assert flaw.subject.endswith("(machine-config)")
    assert ("pods on the masters" in flaw.fix, "haproxy.cfg" in flaw.fix) == (pods, not pods)
