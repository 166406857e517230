"""The small DNS client: what it makes of answers, good and bad."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from struct import pack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError
from hardway.network.dns.answer import Answer
from hardway.network.dns.client import NoAnswer, Server, ask, parse_server, system_servers

NAME = "api.ocp4.example.com"
KINDS = {"A": 1, "PTR": 12, "AAAA": 28, "SRV": 33}
RECORD = b"\xc0\x0c" + pack(">2HIH", 1, 1, 60, 4) + bytes([192, 0, 2, 1])


def question(name=NAME, kind="A"):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return labels + b"\0" + pack(">2H", KINDS[kind], 1)


def reply(number, flags=0x8180, asked=None, records=(RECORD,)):
    return pack(">6H", number, flags, 1, len(records), 0, 0) + (asked or question()) + b"".join(records)


@contextmanager
def serving(*replies):
    """A server that answers one question with these packets, each made from the question's number."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def serve():
            asked, client = server.recvfrom(4096)
            for made in replies:
                server.sendto(made(int.from_bytes(asked[:2], "big")), client)

        thread = threading.Thread(target=serve)
        thread.start()
        yield Server(address="127.0.0.1", port=server.getsockname()[1])
        thread.join()


def test_an_answer_is_read():
    with serving(reply) as server:
        assert ask(server, NAME.upper(), "A", SystemEntropy()) == Answer(code="NOERROR", values=("192.0.2.1",))
    with serving(lambda number: reply(number, flags=0x8183, records=())) as server:
        assert ask(server, NAME, "A", SystemEntropy()) == Answer(code="NXDOMAIN")


NO_ANSWERS = {
    "number": lambda number: reply((number + 1) % 65536),
    "no-reply": lambda number: reply(number, flags=0x0100),
    "name": lambda number: reply(number, asked=question("evil.example.com")),
    "type": lambda number: reply(number, asked=question(kind="AAAA")),
    "length": lambda number: reply(number, records=(b"\xc0\x0c" + pack(">2HIH", 1, 1, 60, 3) + bytes(3),)),
    "circle": lambda number: reply(number, asked=b"\xc0\x0c\0\1\0\1"),
    "cut": lambda number: reply(number)[:-2],
    "empty": lambda number: b"",
}


@pytest.mark.parametrize("packet", NO_ANSWERS)
def test_a_packet_that_does_not_answer_the_question_is_passed_over(packet):
    with serving(NO_ANSWERS[packet], reply) as server:
        assert ask(server, NAME, "A", SystemEntropy()).values == ("192.0.2.1",)


@settings(max_examples=50)
@given(st.binary(max_size=200), st.sampled_from(sorted(KINDS)))
def test_no_bytes_break_the_reader(tail, kind):
    damaged = lambda number: pack(">6H", number, 0x8180, 1, 9, 0, 0) + question(kind=kind) + tail  # noqa: E731
    with serving(damaged, lambda number: reply(number, asked=question(kind=kind), records=())) as server:
        assert ask(server, NAME, kind, SystemEntropy()) == Answer(code="NOERROR")


def test_the_number_of_a_question_comes_from_the_given_entropy():
    class Fixed(SystemEntropy):
        def random(self, label, count):
            return b"\x12\x34"

    seen = []
    with serving(lambda number: (seen.append(number), reply(number))[1]) as server:
        ask(server, NAME, "A", Fixed())
    assert seen == [0x1234]


def test_a_tcp_connection_that_ends_early_is_no_answer():
    """The UDP answer is truncated; over TCP comes half of the length that is announced, in both tries."""
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))

        def serve():
            for _ in range(2):
                asked, client = udp.recvfrom(4096)
                udp.sendto(reply(int.from_bytes(asked[:2], "big"), flags=0x8380, records=()), client)
                line, _ = tcp.accept()
                with line:
                    line.recv(4096)
                    line.sendall(pack(">H", 100) + bytes(50))

        thread = threading.Thread(target=serve)
        thread.start()
        with pytest.raises(NoAnswer, match="the connection ended in the middle of the answer"):
            ask(Server(address="127.0.0.1", port=port), NAME, "A", SystemEntropy())
        thread.join()


def test_a_closed_port_is_no_answer():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(NoAnswer, match="refused"):
        ask(Server(address="127.0.0.1", port=port), NAME, "A", SystemEntropy())


@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        ("192.0.2.53", "192.0.2.53", 53),
        ("192.0.2.53:5353", "192.0.2.53", 5353),
        ("2001:db8::53", "2001:db8::53", 53),
        ("[2001:db8::53]:5353", "2001:db8::53", 5353),
    ],
)
def test_servers_are_written_in_the_usual_ways(text, address, port):
    assert parse_server(text) == Server(address=address, port=port)


@pytest.mark.parametrize("text", ["ns.example.com", "192.0.2.53:0", "192.0.2.53:x", "", "1.2.3", "192.0.2.53:70000"])
def test_anything_else_is_refused_with_the_fix(text):
    with pytest.raises(ConfigError, match=r"is not an address of a name server\.\n    fix: "):
        parse_server(text)


def test_the_systems_servers_are_those_of_resolv_conf(tmp_path):
    file = tmp_path / "resolv.conf"
    file.write_text("# mine\nsearch example.com\nnameserver 192.0.2.1\nnameserver fe80::1%eth0\n")
    assert system_servers(file) == [Server(address="192.0.2.1"), Server(address="fe80::1")]
    file.write_text("search example.com\n")
    with pytest.raises(ConfigError, match="--dns"):
        system_servers(file)
