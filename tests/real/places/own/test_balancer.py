"""A load balancer of somebody else's, seen from outside: a real HAProxy, and who answers behind it."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from http.server import ThreadingHTTPServer
from socket import create_connection

import pytest

from hardway.drive import record
from hardway.drive.machines import ByHand
from hardway.model.errors import ToolError
from hardway.network.haproxy.runtime import ask, servers, take_out
from hardway.places.own.balancer import Socket
from hardway.places.own.cluster import outside
from hardway.staticpods.apiserver.serving import PORT
from tests.support.backends import serving
from tests.support.balancer import running_haproxy
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.https import Handler
from tests.support.netns import inside, network
from tests.support.trees import build_folder, write_folder
from tests.support.waiting import until


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("balancer"), install_config(3, 0), keys="ecdsa-p256")
    return build_folder(folder, FixedEntropy(now=datetime.now(UTC).replace(microsecond=0)))


class Api(Handler):
    """An API server that is ready, says where it is, and leaves connections open."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        row = {"clientCIDR": "0.0.0.0/0", "serverAddress": f"{self.server.server_address[0]}:{PORT}"}
        self.answer(200, json.dumps({"serverAddressByClientCIDRs": [row]}).encode())


@contextmanager
def api(address, context):
    server = ThreadingHTTPServer((address, PORT), Api)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def world(workspace, tmp_path):
    """Every control-plane node serves the API behind HAProxy: its admin socket, and the servers by name."""
    cluster = workspace.loaded.cluster
    nodes = (cluster.bootstrap, *cluster.masters)
    addresses = [*(n.address for n in cluster.nodes), *cluster.api_vips, *cluster.ingress_vips]
    with ExitStack() as stack:
        space = stack.enter_context(network(dict.fromkeys(addresses)))
        stack.enter_context(inside(space))
        context = serving(workspace.store.root / "tls", "kube-apiserver-lb-server")
        running = {node.name: stack.enter_context(api(node.address, context)) for node in nodes}
        yield stack.enter_context(running_haproxy(space, tmp_path, cluster)), running


@pytest.fixture
def seen(workspace, tmp_path):
    (tmp_path / "kept").mkdir()
    held = {"bootstrap": 0}
    found = outside(workspace.loaded.cluster, workspace.store.root, tmp_path / "kept", lambda node: held[node])

    def becomes(**wanted):
        now = {}
        until(lambda: now.update({name: found.state(name) for name in NAMES}) or now == wanted, lambda: str(now))

    return found, becomes, held


NAMES = ("bootstrap", "master-0", "master-1", "master-2")
UP = {"master-0": "up", "master-1": "up", "master-2": "up"}


def test_a_node_that_was_taken_out_is_seen_to_be_out(world, seen, workspace, tmp_path):
    """Not before the bootstrap is complete: until then it is missed by nobody."""
    (socket, running), (found, becomes, _) = world, seen
    becomes(bootstrap="up", **UP)
    address = workspace.loaded.cluster.bootstrap.address
    with pytest.raises(ByHand, match=rf"^take bootstrap \({address}\) out of your load balancer") as asked:
        found.drop("bootstrap")
    assert asked.value.what == "out"
    take_out(socket, "bootstrap")
    becomes(bootstrap="down", **UP)
    record.add(tmp_path / "kept", ["complete"])
    becomes(bootstrap="out", **UP)
    running["master-1"].shutdown()
    running["master-1"].server_close()
    becomes(bootstrap="out", **UP | {"master-1": "down"})


def test_a_busy_server_that_gets_no_connection_for_now_is_not_out(world, seen, workspace, tmp_path):
    """The load balancer prefers whoever has the fewest connections. Forty of them go to the bootstrap node alone."""
    (socket, _), (found, _, held) = world, seen
    masters = [node.name for node in workspace.loaded.cluster.masters]
    for name in masters:
        ask(socket, f"set server api/{name} state maint")
    address = workspace.loaded.cluster.api_vips[0]
    with ExitStack() as open_lines:
        for _ in range(40):
            open_lines.enter_context(create_connection((address, PORT)))
        until(lambda: connected(socket, "bootstrap") == 40, lambda: str(connected(socket, "bootstrap")))
        for name in masters:
            ask(socket, f"set server api/{name} state ready")
        until(lambda: all(Socket(socket).state(name) == "up" for name in masters))
        record.add(tmp_path / "kept", ["complete"])
        assert found.state("bootstrap") == "out", "who does not know of its connections is wrong"
        held["bootstrap"] = 40
        until(lambda: found.state("bootstrap") == "up", lambda: found.state("bootstrap"))


def connected(socket, name):
    return sum(row.connections for row in servers(socket) if (row.backend, row.name) == ("api", name))


def test_a_load_balancer_that_nobody_answers_for_has_every_server_until_it_was_out(seen, workspace, tmp_path):
    found, _, _ = seen
    with network(workspace.loaded.cluster.api_vips) as space, inside(space):
        assert (found.state("bootstrap"), found.state("master-0")) == ("down", "down")
        record.add(tmp_path / "kept", ["balancer"])
        assert (found.state("bootstrap"), found.state("master-0")) == ("out", "down")


def test_an_haproxy_of_this_machine_is_told_by_its_socket(world):
    socket, _ = world
    balance = Socket(socket)
    assert {name: balance.state(name) for name in NAMES} == {"bootstrap": "up", **UP}
    balance.drop("bootstrap")
    assert balance.state("bootstrap") == "out"
    with pytest.raises(ToolError, match="No such file"):
        Socket(socket.with_name("other")).state("bootstrap")
