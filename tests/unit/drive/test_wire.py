"""Requests over TLS to servers on loopback: what is sent, and when the next endpoint may be tried."""

from __future__ import annotations

import gzip
import time
from contextlib import contextmanager

import pytest

from hardway.drive import wire as module
from hardway.drive.wire import Answer, Endpoint, Identity, Unanswered, Wire
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority

NAME = "api-int.ocp4.example.com"


@pytest.fixture(scope="module")
def authority():
    return Authority()


class Noting(Handler):
    protocol_version = "HTTP/1.1"

    def note(self):
        self.server.got.append((self.command, self.path, dict(self.headers), self.body(), self.client_address))
        if self.server.silent:
            self.close_connection = True
        else:
            self.answer(200, b"{}")

    do_GET = do_POST = do_DELETE = note


@contextmanager
def serving(authority, folder, *, silent=False):
    """A server and the requests it got; a silent one ends each connection in place of an answer."""
    with served(Noting, authority, folder, NAME, got=[], silent=silent) as server:
        yield Endpoint(host="127.0.0.1", port=server.server_port, name=NAME), server.got


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


@pytest.mark.parametrize(
    "token", ["secret\nvalue", "secret\r\nX-Other: 1", "secr\u00e9t"], ids=["line", "header", "unicode"]
)
def test_a_token_that_cannot_be_sent_is_not_in_the_reason(token, two, authority):
    _, (good, answered) = two
    found = Wire([good], Identity(trust=authority.pem, token=token)).request("GET", "/x")
    assert found == Unanswered(reason=f"{good}: the request cannot be sent: its address or a header is malformed")
    assert answered == []


def test_a_name_that_no_server_can_prove_is_a_reason(two, authority):
    _, (good, answered) = two
    endpoint = Endpoint(host=good.host, port=good.port, name="a..b")
    assert isinstance(Wire([endpoint], Identity(trust=authority.pem)).request("GET", "/x"), Unanswered)
    assert answered == []


class Compressed(Handler):
    def do_GET(self):
        content = gzip.compress(bytes(1 << 20))
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Endless(Handler):
    """Sends quickly, and never stops."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(bytes(1 << 16))


class Dripping(Handler):
    """Sends a byte again and again: each read of it is quick."""

    def do_GET(self):
        first = b"HTTP/1.1 200 OK\r\nX: " if self.path == "/headers" else b"HTTP/1.1 200 OK\r\n\r\n"
        self.wfile.write(first)
        while True:
            self.wfile.write(b"x")
            time.sleep(0.01)


@contextmanager
def one(handler, authority, folder):
    with served(handler, authority, folder / "tls", NAME) as server:
        server.handle_error = lambda *_: None  # its client has gone
        yield Endpoint(host="127.0.0.1", port=server.server_port, name=NAME)


def test_a_compressed_answer_is_refused(authority, tmp_path):
    with one(Compressed, authority, tmp_path) as endpoint:
        found = Wire([endpoint], Identity(trust=authority.pem)).request("GET", "/x")
    assert found == Unanswered(reason=f"{endpoint}: the answer is compressed, which was not asked for")


def test_an_endless_answer_is_refused(authority, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 1 << 20)
    with one(Endless, authority, tmp_path) as endpoint:
        found = Wire([endpoint], Identity(trust=authority.pem)).request("GET", "/x")
    assert found == Unanswered(reason=f"{endpoint}: the answer is larger than 1 MiB")


@pytest.mark.parametrize("path", ["/headers", "/body"])
def test_an_answer_that_drips_has_an_end(path, authority, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "TURNS", 0.005)
    with one(Dripping, authority, tmp_path) as endpoint:
        found = Wire([endpoint], Identity(trust=authority.pem)).request("GET", path)
    assert isinstance(found, Unanswered)
    assert found.reason.startswith(f"{endpoint}: no whole answer in ")
