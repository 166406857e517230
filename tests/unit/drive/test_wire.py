"""Requests over TLS to servers on loopback: what is sent, and when the next endpoint may be tried."""

from __future__ import annotations

import ssl
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hardway.drive.wire import Answer, Endpoint, Identity, Unanswered, Wire
from tests.support.registry.tls import Authority

NAME = "api-int.ocp4.example.com"


@pytest.fixture(scope="module")
def authority():
    return Authority()


@contextmanager
def serving(authority, folder, *, silent=False):
    """A server and the requests it got; a silent one ends each connection in place of an answer."""
    got = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            got.append((self.command, self.path, dict(self.headers), body, self.client_address))
            if silent:
                self.close_connection = True
                return
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_):
            pass

    files = authority.tls(folder, NAME)["http"]["tls"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files["certificate"], files["key"])
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield Endpoint(host="127.0.0.1", port=server.server_address[1], name=NAME), got
        server.shutdown()
        thread.join()


@pytest.fixture
def two(authority, tmp_path):
    """One server that gives no answer, and one that answers."""
    with serving(authority, tmp_path / "a", silent=True) as mute, serving(authority, tmp_path / "b") as good:
        yield mute, good


def test_a_read_that_was_not_answered_goes_to_the_next_endpoint(two, authority):
    (mute, asked), (good, answered) = two
    found = Wire([mute, good], Identity(trust=authority.pem)).request("GET", "/api/v1/nodes")
    assert found == Answer(code=200, body=b"{}")
    assert (len(asked), len(answered)) == (1, 1)


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_a_change_that_was_sent_is_not_sent_again(method, two, authority):
    (mute, asked), (good, answered) = two
    found = Wire([mute, good], Identity(trust=authority.pem)).request(method, "/api/v1/nodes/a", b"{}")
    assert isinstance(found, Unanswered)
    assert found.reason.startswith(f"{mute}: ")
    assert (len(asked), len(answered)) == (1, 0)


def test_a_change_goes_to_the_next_endpoint_if_the_first_was_not_reached(two, authority):
    _, (good, answered) = two
    closed = Endpoint(host="127.0.0.1", port=1, name=NAME)
    found = Wire([closed, good], Identity(trust=authority.pem)).request("POST", "/x", b"{}")
    assert found == Answer(code=200, body=b"{}")
    assert len(answered) == 1


def test_nobody_is_there(authority):
    closed = Endpoint(host="::1", port=1, name=NAME)
    found = Wire([closed], Identity(trust=authority.pem)).request("GET", "/x")
    assert found == Unanswered(reason="[::1]:1: [Errno 111] Connection refused")
    assert Wire([], Identity(trust=authority.pem)).request("GET", "/x") == Unanswered(reason="no endpoint is known")


def test_what_is_sent(two, authority, monkeypatch):
    """Paths as they are written, the token, no proxy of the environment, and each request on its own connection."""
    _, (good, answered) = two
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    wire = Wire([good], Identity(trust=authority.pem, token="secret"))
    wire.request("GET", "/api/v1/namespaces/a%2Fb?fieldSelector=metadata.name%3Dx%3Ay")
    wire.request("POST", "/x", b"{}", "application/merge-patch+json")
    (command, path, read, _, first), (_, _, changed, body, second) = answered
    assert (command, path) == ("GET", "/api/v1/namespaces/a%2Fb?fieldSelector=metadata.name%3Dx%3Ay")
    assert read["Authorization"] == changed["Authorization"] == "Bearer secret"
    assert (read["Accept"], read["Accept-Encoding"], "Content-Type" in read) == ("application/json", "identity", False)
    assert (changed["Content-Type"], body) == ("application/merge-patch+json", b"{}")
    assert first != second
