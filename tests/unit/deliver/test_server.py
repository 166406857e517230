"""The one-time server, asked by real TLS clients."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
from collections import Counter

import pytest

from hardway.deliver import wire
from hardway.graph.store import Store
from tests.support import waiting
from tests.support.delivery import HOST, lent_folder, serving, until


@pytest.fixture
def folder():
    return lent_folder()


def test_each_node_gets_its_own_file_once_and_then_the_server_ends(folder):
    with serving(folder) as running:
        for node in ("bootstrap", "master-0", "master-1", "master-2"):
            assert running.request(running.path(node)) == (200, running.content(node))
        running.thread.join()
    assert running.policy.left == ()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((HOST, running.port), 5)


def test_the_second_fetch_is_refused(folder):
    with serving(folder, "master-0", "master-1") as running:
        assert running.request(running.path("master-0"))[0] == 200
        until(running, "master-0", "delivered")
        status, body = running.request(running.path("master-0"))
    assert status == 410
    assert b"--again" in body
    assert running.what("master-0") == ["delivered", "refused"]


def test_wrong_token_wrong_node_and_no_path_look_the_same(folder):
    with serving(folder, "master-0", "master-1") as running:
        token = running.path("master-0").rsplit("/", 1)[1]
        wrong = ["/master-0/" + "A" * 43, f"/master-1/{token}", f"/worker-9/{token}", "/", "/master-0", "/master-0/é"]
        answers = {running.request(path.encode().decode("latin-1").replace("Ã©", "%C3%A9")) for path in wrong}
        assert len(answers) == 1
        assert answers.pop()[0] == 403
        assert running.request(running.path("master-0"))[0] == 200, "a wrong guess must not use it up"
    assert running.what("worker-9") == []


def test_a_node_that_is_not_served_now_cannot_be_fetched(folder):
    with serving(folder, "master-0") as first, serving(folder) as other:
        assert first.request(other.path("master-2"))[0] == 403
        assert other.request(other.path("master-2"))[0] == 200


def test_head_delivers_nothing(folder):
    with serving(folder, "master-0", "master-1") as running:
        assert running.request(running.path("master-0"), "HEAD") == (200, b"")
        assert running.request("/master-0/wrong", "HEAD") == (403, b"")
        assert running.request(running.path("master-0"), "POST")[0] == 405
        assert running.request(running.path("master-0")) == (200, running.content("master-0"))
        until(running, "master-0", "delivered")
        assert running.request(running.path("master-0"), "HEAD") == (410, b"")


def test_of_fifty_at_once_exactly_one_wins(folder):
    answers: list[tuple[int, bytes]] = []
    gate = threading.Barrier(50)
    with serving(folder, "bootstrap", "master-0") as running:

        def ask():
            gate.wait()
            answers.append(running.request(running.path("bootstrap")))

        threads = [threading.Thread(target=ask) for _ in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        statuses = Counter(status for status, _ in answers)
        assert statuses.pop(200) == 1
        assert set(statuses) == {410}
        assert sum(statuses.values()) == 49
        assert [body for status, body in answers if status == 200] == [running.content("bootstrap")]
        until(running, "bootstrap", "delivered")
        assert len(answers) == 50
    assert Counter(running.what("bootstrap")) == {"delivered": 1, "refused": 49}


def reset(client: ssl.SSLSocket) -> None:
    """End a connection in the way that throws everything away."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def test_a_fetch_that_breaks_half_way_has_spent_the_token(folder):
    (folder / "assets/master-0.ign").write_bytes(b"x" * 30_000_000)
    with serving(folder, "master-0", "master-1") as running:
        client = running.raw()
        client.sendall(f"GET {running.path('master-0')} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
        assert running.request(running.path("master-0"))[0] == 410, "spent by the first byte"
        reset(client)
        until(running, "master-0", "broke off")
        assert running.request(running.path("master-0"))[0] == 410
    receipt = running.delivery.ledger.receipts["master-0"]
    assert (receipt.end, receipt.to, receipt.size) == ("broke off", HOST, 30_000_000)
    assert 0 < receipt.sent < receipt.size
    assert running.delivery.broken == ("master-0",)
    (told,) = [event.detail for event in running.events if event.what == "broke off"]
    assert told.startswith(f"at most {receipt.sent} of 30000000 bytes went out")
    assert "hardway deliver master-0 --again" in told


def test_whoever_withholds_the_last_acknowledgement_gets_no_second_copy(folder):
    """Read all but the end, reset, ask again: the attack on a server that waits for the last byte."""
    size, end, fetched = 20_000_000, 8_000_000, []  # the end is more than buffers hold
    (folder / "assets/bootstrap.ign").write_bytes(b"x" * size)
    with serving(folder, "bootstrap", "master-1") as running:
        for attempt in range(1, 4):
            client = running.raw()
            client.sendall(f"GET {running.path('bootstrap')} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            got = client.recv(1000)
            length = len(got)
            while got.startswith(b"HTTP/1.1 200") and length < size - end:
                length += len(client.recv(65536))
            reset(client)
            fetched.append(got.split(b" ", 2)[1])
            waiting.until(lambda n=attempt: len(running.what("bootstrap")) >= n)
    assert fetched == [b"200", b"410", b"410"]
    assert running.delivery.ledger.receipts["bootstrap"].to == HOST


def test_a_file_that_fits_into_the_kernel_s_buffers_and_is_not_read_is_spent_too(folder):
    (folder / "assets/master-0.ign").write_bytes(b"x" * 200_000)
    with serving(folder, "master-0") as running:
        client = running.raw()
        client.sendall(f"GET {running.path('master-0')} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        client.recv(1000)
        reset(client)
        until(running, "master-0", "broke off")
        running.thread.join()
    assert running.policy.left == ("master-0",)


def test_nothing_is_sent_that_cannot_be_written_down(folder, monkeypatch):
    with serving(folder, "master-0") as running:
        monkeypatch.setattr(running.delivery.ledger, "_store", Store(folder / "hardway.yaml"))
        assert running.request(running.path("master-0"))[0] == 500


def test_the_certificate_is_for_this_host_and_this_run(folder):
    with serving(folder, "master-0") as one, serving(folder, "master-0") as other:
        with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
            one.context().wrap_socket(socket.create_connection((HOST, one.port)), server_hostname="localhost")
        with one.raw() as client:
            shown = ssl.DER_cert_to_PEM_cert(client.getpeercert(binary_form=True))
        assert shown == one.delivery.identity.certificate.decode()
        assert one.delivery.identity.fingerprint != other.delivery.identity.fingerprint


def test_noise_does_not_stop_it(folder):
    with serving(folder, "master-0") as running:
        for noise in (b"", b"\x16\x03\x01\x00\x05junk!", b"\x00" * 10, b"GET / HTTP/1.1\r\n\r\n"):
            with socket.create_connection((HOST, running.port)) as client:
                client.sendall(noise)
                client.shutdown(socket.SHUT_WR)
                client.recv(4096)
        for head in (b"\r\n\r\n", b"GET /\r\n\r\n", b"G" * (wire.LONGEST_REQUEST + 1)):
            with running.raw() as client:
                client.sendall(head)
                assert client.recv(4096) == b""
        assert running.request(running.path("master-0"))[0] == 200


def test_events_tell_all_but_secrets(folder):
    with serving(folder, "master-0", "master-1") as running:
        secret = running.path("master-0").rsplit("/", 1)[1]
        for path in (f"/master-1/{secret}", "/master-0/a-guess", running.path("master-0"), f"/{secret}/x"):
            running.request(path)
        until(running, "master-0", "delivered")
        until(running, "-", "refused")
    told = json.dumps([event.as_dict() for event in running.events])
    assert Counter(e.what for e in running.events) == {"refused": 3, "delivered": 1}
    assert all(event.peer == HOST for event in running.events)
    assert secret not in told
    assert "guess" not in told
    assert "GET" not in told
    assert not any(secret in repr(thing) for thing in (running.delivery, running.delivery.parcels))
