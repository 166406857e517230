"""A client that asks again: what it waits for, what it does not wait for, and that its patience ends."""

from __future__ import annotations

import pytest

from hardway.drive import client as module
from hardway.drive.access import Access
from hardway.drive.client import Client, Trouble
from hardway.drive.wire import Endpoint, Identity
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority

NAME = "api-int.ocp4.example.com"
SILENT = 0


class Script(Handler):
    """Answers with the next code of a list, and with the last one from then on; 0 is no answer at all."""

    def next(self):
        self.body()
        self.server.asked.append(self.command)
        code = self.server.codes.pop(0) if len(self.server.codes) > 1 else self.server.codes[0]
        if code == SILENT:
            self.close_connection = True
        else:
            self.answer(code, b'{"kind": "Namespace"}')

    do_GET = do_POST = next


@pytest.fixture
def asking(tmp_path, monkeypatch):
    """A client of a server with such a list, and what the server was asked."""
    monkeypatch.setattr(module, "PAUSE", 0.01)
    authority = Authority()
    servers = []

    def make(*codes):
        server = served(Script, authority, tmp_path / str(len(servers)), NAME, asked=[], codes=list(codes))
        servers.append(server)
        opened = server.__enter__()
        place = Endpoint(host="127.0.0.1", port=opened.server_port, name=NAME)
        return Client(Access(endpoints=(place,), identity=Identity(trust=authority.pem))), opened.asked

    yield make
    for server in servers:
        server.__exit__(None, None, None)


@pytest.mark.parametrize("passing", [SILENT, 429, 503])
def test_a_patient_client_asks_again(asking, passing):
    client, asked = asking(passing, passing, 201)
    assert client.patient(60).create("/api/v1/namespaces", {}) == {"kind": "Namespace"}
    assert asked == ["POST"] * 3


@pytest.mark.parametrize(("passing", "kind"), [(SILENT, "unanswered"), (503, "busy")])
def test_any_other_client_asks_once(asking, passing, kind):
    client, asked = asking(passing, 200)
    client.patient(60)
    found = client.get("/api/v1/namespaces/a")
    assert isinstance(found, Trouble)
    assert found.kind == kind
    assert asked == ["GET"]


@pytest.mark.parametrize("code", [401, 403, 404, 409, 422, 500])
def test_an_answer_is_an_answer(asking, code):
    client, asked = asking(code, 200)
    found = client.patient(60).get("/api/v1/namespaces/a")
    assert isinstance(found, Trouble)
    assert found.code == code
    assert asked == ["GET"]


def test_patience_ends_and_is_not_given_twice(asking):
    client, asked = asking(503)
    patient = client.patient(1.0)
    assert isinstance(patient.text("/healthz"), Trouble)
    before = len(asked)
    assert before > 1
    assert isinstance(patient.get("/healthz"), Trouble)
    assert len(asked) == before + 1
