"""TLS: a private authority is believed when it is given, and each doubt has its own words."""

from __future__ import annotations

import pytest

from hardway.model.errors import ConfigError
from hardway.registry.errors import Refused, Untrusted
from tests.support.registry.front import front
from tests.support.registry.server import Reader, serving
from tests.support.registry.tls import Authority


@pytest.fixture(scope="module")
def authority():
    return Authority()


@pytest.fixture(scope="module")
def private(registry, made, authority, tmp_path_factory):
    folder = tmp_path_factory.mktemp("private")
    with serving(folder / "server", registry.storage, **authority.tls(folder / "tls")) as server:
        yield server


def test_a_private_authority_in_the_trust_bundle(private, made, authority, tmp_path):
    reader = Reader(tmp_path / "cache", trust_bundle=authority.pem.decode())
    assert reader.read(f"{private.host}/team/release:a").digest == made.digest


def test_an_authority_that_nobody_gave(private, tmp_path):
    with pytest.raises(Untrusted, match=rf"^{private.host}: .*not trusted .*\n    fix: .*additionalTrustBundle"):
        Reader(tmp_path / "cache").read(f"{private.host}/team/release:a")
    other = Authority().pem.decode()
    with pytest.raises(Untrusted, match="additionalTrustBundle"):
        Reader(tmp_path / "cache", trust_bundle=other).read(f"{private.host}/team/release:a")


def test_a_certificate_for_another_name(private, authority, tmp_path):
    port = private.host.partition(":")[2]
    with pytest.raises(Untrusted, match=r"fix: use a name that the certificate holds"):
        Reader(tmp_path / "cache", trust_bundle=authority.pem.decode()).read(f"localhost:{port}/team/release:a")


def test_a_certificate_that_ran_out(registry, made, authority, tmp_path):
    with (
        serving(tmp_path / "server", registry.storage, **authority.tls(tmp_path / "tls", days=-2)) as server,
        pytest.raises(Untrusted, match=r"expired\)\n    fix: renew"),
    ):
        Reader(tmp_path / "cache", trust_bundle=authority.pem.decode()).read(f"{server.host}/team/release:a")


def test_a_registry_without_tls_is_spoken_to_only_when_named(registry, made, tmp_path):
    with pytest.raises(Refused, match=r"does not use TLS\n    fix: .*insecureRegistries"):
        Reader(tmp_path / "cache").read(f"{registry.host}/team/release:a")


def test_a_trust_bundle_without_certificates(private, tmp_path):
    with pytest.raises(ConfigError, match=r"additionalTrustBundle .*\n    fix: "):
        Reader(tmp_path / "cache", trust_bundle="not PEM").read(f"{private.host}/team/release:a")


def test_a_redirect_from_tls_to_none_is_not_followed(registry, made, authority, tmp_path):
    """The registry sends blobs to a host without TLS, as a wrongly set up storage does."""
    with front(registry.host) as elsewhere:
        tls = authority.tls(tmp_path / "tls")
        middleware = {"storage": [{"name": "redirect", "options": {"baseurl": f"http://{elsewhere.host}"}}]}
        with serving(tmp_path / "server", registry.storage, middleware=middleware, **tls) as server:
            reader = Reader(tmp_path / "cache", trust_bundle=authority.pem.decode())
            with pytest.raises(Refused, match=rf"redirects to {elsewhere.host}, which has no TLS; .*\n    fix: "):
                reader.read(f"{server.host}/team/release:a")
            assert not elsewhere.seen
