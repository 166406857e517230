"""Mirrors on loopback, each with a defect: exactly that is found."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import ThreadingHTTPServer
from socket import create_server

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hardway.checks.network.mirrors import TABLE, examine
from hardway.model.cluster import ImageSource
from hardway.network.mirrors import Mirror, Shown, mirrors
from tests.support.clusters import load_cluster
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority

CLUSTER = load_cluster().cluster
OURS = Authority()


class Registry(Handler):
    def do_GET(self):
        self.answer(200, b"{}")


class NoNames(Authority):
    """Certificates with a Common Name alone."""

    def issue(self, name, days=1):
        key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(self.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=days))
        )
        return builder.sign(self.key, hashes.SHA256()), key


def cluster(*ports, trust=OURS):
    places = tuple(f"127.0.0.1:{port}/ocp/release" for port in ports)
    sources = (ImageSource(source="quay.io/ocp/release", mirrors=places),)
    return replace(CLUSTER, digest_sources=sources, trust_bundle=trust.pem.decode())


def found(*ports, trust=OURS):
    return [(f.check, f.failure, f.severity) for f in examine(cluster(*ports, trust=trust)).findings]


@contextmanager
def plain():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def test_a_good_mirror_has_no_finding(tmp_path):
    with served(Registry, OURS, tmp_path / "tls") as server:
        report = examine(cluster(server.server_port))
    assert (report.findings, report.ran) == ((), tuple(check.name for check in TABLE))


def test_a_cluster_without_mirrors_has_nothing_to_check():
    assert mirrors(CLUSTER) == ()
    assert examine(CLUSTER).ran == ()


def test_plain_http():
    with plain() as port:
        assert found(port) == [("mirror.tls", "F49", "error")]


def test_a_certificate_without_a_name_that_go_reads(tmp_path):
    authority = NoNames()
    with served(Registry, authority, tmp_path / "tls") as server:
        assert found(server.server_port, trust=authority) == [("mirror.names", "F48", "error")]


def test_a_certificate_for_another_name(tmp_path):
    with served(Registry, OURS, tmp_path / "tls", "mirror.example.com") as server:
        assert found(server.server_port) == [("mirror.names", "F48", "error")]


def test_an_authority_that_the_bundle_lacks(tmp_path):
    with served(Registry, OURS, tmp_path / "tls") as server:
        assert found(server.server_port, trust=Authority()) == [("mirror.trust", "F12", "error")]


def test_a_mirror_that_this_machine_does_not_reach_is_only_told():
    with create_server(("127.0.0.1", 0)) as line:
        port = line.getsockname()[1]
    assert found(port) == [("mirror.answers", "", "warning")]


def test_a_name_that_dns_cannot_have_is_told_like_one_that_is_not_reached():
    source = ImageSource(source="quay.io/a", mirrors=(f"{'x' * 70}.test/a",))
    found = examine(replace(CLUSTER, digest_sources=(source,))).findings
    assert [(f.check, f.severity) for f in found] == [("mirror.answers", "warning")]
    assert "more than 63 characters" in found[0].message


@pytest.mark.parametrize(
    ("place", "host", "port"),
    [
        ("mirror.example.com/ocp", "mirror.example.com", 443),
        ("mirror.example.com:5000/ocp", "mirror.example.com", 5000),
        ("[fd00::1]:5000/ocp", "[fd00::1]", 5000),
    ],
)
def test_a_mirror_is_where_its_address_says(place, host, port):
    source = ImageSource(source="quay.io/x", mirrors=(place,))
    [mirror] = mirrors(replace(CLUSTER, digest_sources=(source,), content_sources=(source,)))
    assert (mirror.host, mirror.port) == (host, port)


@pytest.mark.parametrize(
    ("name", "host", "fits"),
    [
        ("*.example.com", "mirror.example.com", True),
        ("*.example.com", "a.mirror.example.com", False),
        ("Mirror.example.com", "mirror.EXAMPLE.com", True),
        ("fd00::1", "[fd00:0::1]", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_a_name_of_a_certificate_fits_as_clients_take_it(name, host, fits):
    assert Shown(mirror=Mirror(host=host, port=443), names=(name,)).named is fits
