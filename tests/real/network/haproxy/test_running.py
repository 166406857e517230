"""A real HAProxy with our configuration in front of TLS servers that turn ready and unready."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import ExitStack

import pytest
from click.testing import CliRunner

from hardway.cli.network import network as command
from hardway.model.errors import ToolError
from hardway.network.haproxy.runtime import servers, take_out
from tests.support.backends import backend, serving, stop, trusting
from tests.support.balancer import running_haproxy
from tests.support.netns import inside, network
from tests.support.trees import built_now
from tests.support.waiting import until


@pytest.fixture(scope="module")
def tree():
    workspace = built_now("default", "ecdsa-p256")
    return workspace.loaded.cluster, workspace.store.root / "tls"


@pytest.fixture
def world(tree):
    """The plan's addresses, and an API server on every machine of the control plane."""
    cluster, tls = tree
    nodes = (cluster.bootstrap, *cluster.masters)
    addresses = [*cluster.api_vips, *cluster.ingress_vips, *(a for n in cluster.nodes for a in n.addresses)]
    with ExitStack() as stack:
        name = stack.enter_context(network(addresses))
        with inside(name):
            found = {n.name: stack.enter_context(backend(n.name, n.address, 6443, serving(tls))) for n in nodes}
        yield name, found


def status(admin, name, of="api"):
    return next(s.status for s in servers(admin) if (s.backend, s.name) == (of, name))


def connect(name, tree):
    cluster, tls = tree
    with inside(name):
        line = socket.create_connection((cluster.api_vips[0], 6443))
    return trusting(tls).wrap_socket(line, server_hostname=cluster.api_int_host)


def get(name, tree):
    """Who answered; the certificate and its name are verified on the way."""
    with connect(name, tree) as line:
        line.sendall(b"GET /version HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: line.recv(4096), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.0 200"), answer
    return body.decode()


class Client(threading.Thread):
    """Asks again and again, a new connection each time, and keeps every answer and every failure."""

    def __init__(self, name, tree):
        super().__init__(daemon=True)
        self.name_, self.tree, self.answers, self.failures, self.enough = name, tree, [], [], threading.Event()

    def run(self):
        while not self.enough.wait(0.01):
            try:
                self.answers.append(get(self.name_, self.tree))
            except (OSError, AssertionError) as error:
                self.failures.append(repr(error))

    def finish(self):
        self.enough.set()
        self.join()


def test_no_request_is_lost_when_a_server_goes_and_none_reaches_one_that_is_not_ready(world, tree, tmp_path):
    name, found = world
    with running_haproxy(name, tmp_path, tree[0]) as admin:
        assert {s.status for s in servers(admin) if s.backend == "api"} == {"UP"}
        client = Client(name, tree)
        client.start()
        leaving = found["master-1"]
        until(lambda: leaving.served > 0)
        leaving.ready = False
        until(lambda: status(admin, "master-1") == "DOWN")
        served = leaving.served
        mark = len(client.answers)
        until(lambda: len(client.answers) > mark + 40)
        assert leaving.served == served
        stop(leaving)
        mark = len(client.answers)
        until(lambda: len(client.answers) > mark + 40)
        client.finish()
        assert client.failures == []
        assert set(client.answers[mark:]) == {"bootstrap", "master-0", "master-2"}


def test_a_server_that_says_500_gets_nothing_until_it_says_200(world, tree, tmp_path):
    name, found = world
    found["master-0"].ready = False
    with running_haproxy(name, tmp_path, tree[0]) as admin:
        until(lambda: status(admin, "master-0") == "DOWN")
        assert {get(name, tree) for _ in range(20)} == {"bootstrap", "master-1", "master-2"}
        found["master-0"].ready = True
        until(lambda: status(admin, "master-0") == "UP")
        assert "master-0" in {get(name, tree) for _ in range(20)}


def test_a_server_that_dies_suddenly_costs_no_new_connection(world, tree, tmp_path):
    name, found = world
    with running_haproxy(name, tmp_path, tree[0]):
        stop(found["master-2"])
        assert {get(name, tree) for _ in range(20)} == {"bootstrap", "master-0", "master-1"}


def test_bootstrap_leaves_at_run_time_and_its_long_connection_stays(world, tree, tmp_path):
    name, _ = world
    with running_haproxy(name, tmp_path, tree[0]) as admin, ExitStack() as stack:
        watches = {}
        for _ in range(20):
            line = stack.enter_context(connect(name, tree))
            line.sendall(b"watch\n")
            watches[line.recv(100)] = line
        watch = watches[b"bootstrap\n"]
        assert [s.backend for s in take_out(admin, "bootstrap", dry_run=True)] == ["api", "machine-config"]
        assert status(admin, "bootstrap") == "UP"
        assert [s.backend for s in take_out(admin, "bootstrap")] == ["api", "machine-config"]
        assert status(admin, "bootstrap") == "MAINT"
        assert {get(name, tree) for _ in range(20)} == {"master-0", "master-1", "master-2"}
        watch.sendall(b"still there?\n")
        assert watch.recv(100) == b"bootstrap\n"
        assert take_out(admin, "bootstrap") == []


def test_the_command_shows_who_is_up_and_takes_out_once(world, tree, tmp_path):
    name, _ = world

    def say(*words):
        done = CliRunner().invoke(command, [*words, "--socket", str(admin)], catch_exceptions=False)
        return done.stdout.splitlines()

    with running_haproxy(name, tmp_path, tree[0]) as admin:
        assert "api             master-0                 UP       0 connections" in say("servers")
        took = ["took bootstrap out of api", "took bootstrap out of machine-config"]
        assert say("take-out", "bootstrap", "--dry-run") == [f"would take{line[4:]}" for line in took]
        assert say("take-out", "bootstrap") == took
        assert say("take-out", "bootstrap") == ["bootstrap is out already"]
        row = next(r for r in json.loads("\n".join(say("servers", "-o", "json"))) if r["server"] == "bootstrap")
    assert row == {"backend": "api", "server": "bootstrap", "status": "MAINT", "connections": 0}


def test_an_unknown_server_and_a_missing_socket_are_said(world, tree, tmp_path):
    name, _ = world
    with (
        running_haproxy(name, tmp_path, tree[0]) as admin,
        pytest.raises(ToolError, match=r"no server master-7.*\n.*master-0"),
    ):
        take_out(admin, "master-7")
    with pytest.raises(ToolError, match="No such file"):
        servers(tmp_path / "nothing.sock")


def test_a_check_by_plain_http_calls_every_healthy_server_dead(world, tree, tmp_path):
    """What the notes saw: it is the missing `check-ssl`, not TCP mode, that makes `httpchk` fail."""
    name, _ = world

    def plain(text):
        return text.replace("check check-ssl verify none", "check")

    with running_haproxy(name, tmp_path, tree[0], plain) as admin:
        until(lambda: {s.status for s in servers(admin) if s.backend == "api"} == {"DOWN"})


def test_a_check_by_tcp_alone_sends_requests_to_a_server_that_is_not_ready(world, tree, tmp_path):
    """What the notes did instead."""
    name, found = world
    for server in found.values():
        server.ready = False

    def by_tcp(text):
        lines = [line for line in text.splitlines() if "httpchk" not in line and "http-check" not in line]
        return "\n".join(lines).replace("check check-ssl verify none", "check") + "\n"

    with running_haproxy(name, tmp_path, tree[0], by_tcp) as admin:
        assert {s.status for s in servers(admin) if s.backend == "api"} == {"UP"}
        assert get(name, tree) in found
