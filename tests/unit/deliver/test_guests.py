"""Many clients that only want to be in the way, and one of the plan."""

from __future__ import annotations

import os
import resource
import socket
import ssl
import threading
from contextlib import ExitStack, suppress

import pytest

from hardway.deliver.guests import MOST, MOST_OF_ONE_ADDRESS, Guests, origin
from tests.support import waiting
from tests.support.delivery import HOST, lent_folder, serving

NEIGHBOURS = [f"127.0.0.{number}" for number in range(2, 18)]
HELLO = b"\x16\x03\x01\x02\x00\x01"  # as a TLS client begins, and then nothing
REQUEST = b"GET / HTTP/1.1\r\n"  # a head without an end


@pytest.fixture
def folder():
    return lent_folder()


def connected(port: int, source: str, said: bytes) -> socket.socket:
    client = socket.create_connection((HOST, port), source_address=(source, 0))
    client.sendall(said)
    return client


@pytest.mark.parametrize("sources", [[HOST], NEIGHBOURS[:1], NEIGHBOURS], ids=["its own", "another", "many"])
@pytest.mark.parametrize("said", [b"", HELLO, REQUEST], ids=["silent", "handshake", "head"])
def test_128_slow_clients_do_not_keep_the_planned_one_from_its_file(folder, sources, said):
    with serving(folder, "master-0", "master-1") as running, ExitStack() as stack:
        for number in range(128):
            stack.enter_context(connected(running.port, sources[number % len(sources)], said))
        assert running.request(running.path("master-0")) == (200, running.content("master-0"))


def test_clients_inside_tls_that_never_end_their_request_do_not_either(folder):
    with serving(folder, "master-0", "master-1") as running, ExitStack() as stack:
        for _ in range(128):
            client = stack.enter_context(running.raw())
            client.sendall(b"GET /master-0/x HTTP/1.1\r\n")
        assert running.request(running.path("master-0"))[0] == 200


def test_clients_that_reset_and_come_back_at_once_do_not_either(folder):
    over = threading.Event()
    with serving(folder, "master-0", "master-1") as running:

        def trouble(source: str) -> None:
            while not over.is_set():
                with suppress(OSError):
                    client = connected(running.port, source, HELLO)
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    client.close()
                over.wait(0.002)

        threads = [threading.Thread(target=trouble, args=(source,)) for source in NEIGHBOURS[:4]]
        for thread in threads:
            thread.start()
        try:
            answers = [fetched(running, "master-0"), fetched(running, "master-1")]
        finally:
            over.set()
            for thread in threads:
                thread.join()
    assert answers == [running.content("master-0"), running.content("master-1")]


def fetched(running, node: str) -> bytes:
    """As Ignition does: a connection that ends before an answer is tried again."""
    for _ in range(20):
        with suppress(ConnectionError, ssl.SSLError):
            status, body = running.request(running.path(node))
            assert status == 200
            return body
    raise AssertionError(f"{node} never got through")


def test_after_a_refusal_the_server_hangs_up(folder):
    """And does not wait for as long as the client likes to talk."""
    with serving(folder, "master-0") as running, running.raw() as client:
        client.settimeout(60)
        client.sendall(b"GET /master-0/guess HTTP/1.1\r\nHost: x\r\n\r\n")
        with suppress(ConnectionError, ssl.SSLError):
            while client.recv(4096):
                client.sendall(b"and another thing\r\n")
        assert running.what("master-0") == ["refused"]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def pair():
    """A way to make connections that end with the test."""
    with ExitStack() as stack:

        def make() -> tuple[socket.socket, socket.socket]:
            ends = socket.socketpair()
            for end in ends:
                stack.enter_context(end)
            return ends

        yield make


def closed(other: socket.socket) -> bool:
    other.setblocking(False)
    try:
        return other.recv(1) == b""
    except BlockingIOError:
        return False


def test_the_time_counts_from_the_connection_and_ends_for_all_who_showed_no_token(pair):
    clock = Clock()
    guests = Guests(10.0, clock)
    (slow, its_end), (right, right_end) = pair(), pair()
    guests.welcome(slow, HOST)
    guests.trusted(guests.welcome(right, HOST))
    clock.now = 10.0
    guests.tidy()
    assert not closed(its_end)
    clock.now = 10.1
    guests.tidy()
    assert (closed(its_end), closed(right_end)) == (True, False)


def test_the_oldest_of_the_most_numerous_goes(pair):
    guests, ends = Guests(10.0), {}
    for number in range(MOST):
        mine, ends[number] = pair()
        guests.welcome(mine, "10.0.0.1" if number % 2 else f"10.0.1.{number}")
    mine, newcomer = pair()
    guests.welcome(mine, "10.0.2.1")
    assert [number for number, end in ends.items() if closed(end)] == [1]
    assert not closed(newcomer)


def test_one_address_has_its_own_limit(pair):
    guests, ends = Guests(10.0), []
    for _ in range(MOST_OF_ONE_ADDRESS + 2):
        mine, other = pair()
        ends.append(other)
        guests.welcome(mine, HOST)
    assert [closed(end) for end in ends] == [True] * 2 + [False] * MOST_OF_ONE_ADDRESS


def test_a_client_for_whom_no_descriptor_is_left_does_not_end_the_server(folder):
    """The last one is the connection's own; before, the server ended when it wanted a second one."""
    with serving(folder) as running, ExitStack() as taken:
        waiting.until(lambda: running.thread.is_alive(), lambda: "no server", seconds=60)
        client = taken.enter_context(socket.socket())
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        descriptors = [int(name) for name in os.listdir("/proc/self/fd")]
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(descriptors) + 2, limit[1]))
        try:
            while len(held := os.listdir("/proc/self/fd")) - 1 < max(descriptors) + 1:  # without the listing's own
                os.set_inheritable(number := os.dup(0), False)
                taken.callback(os.close, number)
                assert len(held) < limit[0]
            client.connect((HOST, running.port))
            assert client.recv(1) == b""
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limit)
        taken.close()
        assert running.request(running.path("master-0")) == (200, running.content("master-0"))


def test_addresses_of_one_ipv6_network_are_one_origin():
    assert origin("2001:db8::1") == origin("2001:db8::ffff:2")
    assert origin("2001:db8::1") != origin("2001:db8:0:1::1")
    assert origin("fe80::1%eth0") == origin("fe80::2")
    assert origin("192.0.2.1") != origin("192.0.2.2")
