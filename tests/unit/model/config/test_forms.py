"""The small languages inside an install-config: SSH keys, URLs, repositories, PEM, addresses."""

from __future__ import annotations

import base64
from ipaddress import ip_address, ip_network

import pytest

from hardway.model.config.addresses import contains, overlap, parse_address, parse_cidr
from hardway.model.config.names import has_tag_or_digest, is_repository
from hardway.model.config.rules.trust import blocks
from hardway.model.config.ssh import PublicKey, find_key
from hardway.model.config.url import Url, parse_url
from tests.support.clusters import SSH_KEY
from tests.support.configs import authority


def ssh_line(kind: str, *fields: bytes, tail: bytes = b"") -> str:
    blob = b"".join(len(part).to_bytes(4, "big") + part for part in (kind.encode(), *fields)) + tail
    return f"{kind} {base64.b64encode(blob).decode()}"


G256 = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
ECDSA = "ecdsa-sha2-nistp256"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (SSH_KEY, "ssh-ed25519"),
        (f"  {SSH_KEY}\r", "ssh-ed25519"),
        (f"# a comment\n\nrubbish\n{SSH_KEY}", "ssh-ed25519"),
        (f'no-pty,command="say \\"a b\\"" {SSH_KEY}', "ssh-ed25519"),
        (ssh_line(ECDSA, b"nistp256", G256), ECDSA),
        (ssh_line("ssh-rsa", b"\x01\x00\x01", b"\x00" + b"\xff" * 128), "ssh-rsa"),
        (ssh_line("ssh-dss", b"\x00" + b"\xff" * 128, b"1", b"2", b"3"), "ssh-dss"),
        (ssh_line("sk-ssh-ed25519@openssh.com", b"k" * 32, b"ssh:"), "sk-ssh-ed25519@openssh.com"),
        (
            ssh_line("sk-ecdsa-sha2-nistp256@openssh.com", b"nistp256", G256, b"ssh:"),
            "sk-ecdsa-sha2-nistp256@openssh.com",
        ),
        (ssh_line("ssh-ed25519-cert-v01@openssh.com", b"nonce"), "ssh-ed25519-cert-v01@openssh.com"),
    ],
)
def test_ssh_keys(line: str, kind: str) -> None:
    assert find_key(line) == PublicKey(kind, kind)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "~/.ssh/id_rsa.pub",
        SSH_KEY[:-20],
        SSH_KEY.replace("A", "é"),
        SSH_KEY.split()[1],
        f'command="open {SSH_KEY}',
        "ssh-rsa AAAA",
        ssh_line("ssh-ed25519", b"k" * 31),
        ssh_line("ssh-ed25519", b"k" * 32, tail=b"x"),
        ssh_line("ssh-rsa", b"\x02", b"\xff" * 128),
        ssh_line("ssh-rsa", b"\x01\x00\x00\x00\x01", b"\xff" * 128),
        ssh_line("ssh-foo", b"x"),
        ssh_line(ECDSA, b"nistp256", G256[:-1] + b"\x00"),
        ssh_line(ECDSA, b"nistp999", G256),
        ssh_line(ECDSA, b"nistp256", G256[1:]),
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n",
    ],
)
def test_no_ssh_keys(line: str) -> None:
    assert find_key(line) is None


def test_the_declared_type_is_kept_beside_the_real_one() -> None:
    assert find_key(f"ssh-rsa {SSH_KEY.split()[1]}") == PublicKey("ssh-rsa", "ssh-ed25519")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://proxy:3128", Url("http", "proxy")),
        ("HTTP://user:p%20w@proxy/x?y", Url("http", "proxy")),
        ("https://[fd00::1]:80", Url("https", "fd00::1")),
        ("http://u:p@ss@proxy", Url("http", "proxy")),
        ("proxy:3128", Url("proxy", "")),
        ("http:///x", Url("http", "")),
        ("http://p:", Url("http", "p")),
    ],
)
def test_urls(text: str, url: Url) -> None:
    assert parse_url(text) == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "proxy",
        "http://p:port",
        "http://p q",
        "http://[::1",
        "http://p/%zz",
        "http://u s@p",
        "http://p\x01",
        "http://p#x",
    ],
)
def test_no_urls(text: str) -> None:
    assert parse_url(text) is None


@pytest.mark.parametrize(
    "name",
    [
        "quay.io/a/b",
        "quay.io",
        "quay.io:443",
        "localhost/a",
        "localhost:5000/a",
        "10.0.0.1:5000/a",
        "A.io/b",
        "a.io/x__y",
    ],
)
def test_repositories(name: str) -> None:
    assert is_repository(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a/b",
        "quay.io/a:tag",
        "quay.io/a@sha256:" + "0" * 64,
        "https://quay.io/a",
        "quay.io/A",
        "quay.io/",
        "docker.io/a",
        "[::1]:5000/a",
        "0" * 64,
        "a.io/" + "a" * 260,
        "a.io/x___y",
        "A.io",
    ],
)
def test_no_repositories(name: str) -> None:
    assert not is_repository(name)


def test_why_a_name_is_no_repository() -> None:
    assert has_tag_or_digest("quay.io:443/a:1")
    assert has_tag_or_digest("quay.io/a@sha256:0")
    assert not has_tag_or_digest("quay.io:443/a")


def test_pem_blocks() -> None:
    assert len(blocks(f"text before\n{authority()}# between\n{authority()}") or []) == 2
    assert blocks(authority().rstrip()) == blocks(authority().replace("\n", "\r\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "text",
        f"{authority()}\n",
        f"{authority()}text",
        authority()[:-20],
        authority().replace("M", "!"),
        authority().replace("M", "é"),
    ],
)
def test_no_pem_blocks(text: str) -> None:
    assert blocks(text) is None


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("10.0.0.1/16", "10.0.0.1/16"),
        ("10.0.0.0/08", "10.0.0.0/8"),
        ("::ffff:10.0.0.0/112", "10.0.0.0/16"),
        ("FD00::/64", "fd00::/64"),
    ],
)
def test_networks(text: str, network: str) -> None:
    assert str(parse_cidr(text)) == network


@pytest.mark.parametrize(
    "text",
    [
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/255.0.0.0",
        "010.0.0.0/8",
        "10.0.0.0/+8",
        "fe80::%e/64",
        "10.0.0.0/٨",
    ],
)
def test_no_networks(text: str) -> None:
    assert parse_cidr(text) is None


def test_addresses() -> None:
    assert str(parse_address("::ffff:10.0.0.1")) == "10.0.0.1"
    assert parse_address("fe80::1%eth0") is None
    assert parse_address("10.0.0") is None


def test_families_never_meet() -> None:
    four, six, address = ip_network("0.0.0.0/0"), ip_network("::/0"), ip_address("10.0.0.1")
    assert not overlap(four, six)
    assert contains(four, address)
    assert not contains(six, address)
