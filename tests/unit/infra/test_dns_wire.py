"""The small DNS client: what it makes of answers, good and bad."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError
from hardway.network.dns.client import NoAnswer, Server, ask, parse_server, system_servers
from hardway.network.dns.wire import Answer, BadMessage, answer, question
from tests.support.clusters import load_cluster
from tests.support.dns import look, running_dnsmasq
from tests.support.netns import network

NAME = "api.ocp4.example.com"
QUESTION = question(7, NAME, "A")[12:]
RECORD = b"\xc0\x0c" + pack(">2HIH", 1, 1, 60, 4) + bytes([192, 0, 2, 1])


def reply(number=7, flags=0x8180, asked=QUESTION, records=(RECORD,)):
    return pack(">6H", number, flags, 1, len(records), 0, 0) + asked + b"".join(records)


def test_an_answer_is_read():
    assert answer(reply(), 7, NAME.upper(), "A") == Answer(code="NOERROR", values=("192.0.2.1",))
    assert answer(reply(flags=0x8183, records=()), 7, NAME, "A").code == "NXDOMAIN"


@pytest.mark.parametrize(
    "message",
    [
        reply(number=8),
        reply(flags=0x0100),
        reply(asked=question(7, "evil.example.com", "A")[12:]),
        reply(asked=question(7, NAME, "AAAA")[12:]),
        reply(records=(b"\xc0\x0c" + pack(">2HIH", 1, 1, 60, 3) + bytes(3),)),
        reply(asked=b"\xc0\x0c\0\1\0\1"),
        reply()[:-2] + b"",
        b"",
    ],
    ids=["number", "no-reply", "name", "type", "length", "circle", "cut", "empty"],
)
def test_what_is_no_answer_to_the_question_is_refused(message):
    with pytest.raises(BadMessage):
        answer(message, 7, NAME, "A")


@given(st.binary(max_size=200), st.sampled_from(["A", "AAAA", "PTR", "SRV"]))
def test_no_bytes_break_the_reader(tail, kind):
    message = pack(">6H", 7, 0x8180, 1, 9, 0, 0) + question(7, NAME, kind)[12:] + tail
    with suppress(BadMessage):
        answer(message, 7, NAME, kind)


def test_a_forged_packet_is_passed_over_and_the_real_answer_taken():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def serve():
            asked, client = server.recvfrom(4096)
            number = int.from_bytes(asked[:2], "big")
            server.sendto(reply(number=(number + 1) % 65536), client)
            server.sendto(reply(number=number), client)

        thread = threading.Thread(target=serve)
        thread.start()
        found = ask(Server(address="127.0.0.1", port=server.getsockname()[1]), NAME, "A", SystemEntropy())
        thread.join()
    assert found.values == ("192.0.2.1",)


def test_an_answer_that_does_not_fit_comes_over_tcp(tmp_path):
    c = load_cluster().cluster
    many = "".join(f"srv-host=_x._tcp.{c.domain},a-long-name-of-a-host-{n}.{c.domain},1,0,0\n" for n in range(40))
    with network(c.dns_servers) as name, running_dnsmasq(name, tmp_path, c, lambda text: text + many):
        assert len(look(name, c.dns_servers[0], f"_x._tcp.{c.domain}", "SRV").values) == 40


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
    with pytest.raises(ConfigError, match=r"is no address of a name server\.\n    fix: "):
        parse_server(text)


def test_the_systems_servers_are_those_of_resolv_conf(tmp_path):
    file = tmp_path / "resolv.conf"
    file.write_text("# mine\nsearch example.com\nnameserver 192.0.2.1\nnameserver fe80::1%eth0\n")
    assert system_servers(file) == [Server(address="192.0.2.1"), Server(address="fe80::1")]
    file.write_text("search example.com\n")
    with pytest.raises(ConfigError, match="--dns"):
        system_servers(file)
