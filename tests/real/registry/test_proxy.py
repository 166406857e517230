"""Through a real squid, which alone knows the way to registry.example.com."""

from __future__ import annotations

import pytest

from hardway.model.cluster import Proxy
from hardway.registry.errors import ProxyRefused, Unreachable
from hardway.registry.proxying import from_environment, proxy_for
from tests.support.registry import proxy as registry_proxy
from tests.support.registry.proxy import NAME, squid
from tests.support.registry.server import Reader, serving
from tests.support.registry.tls import Authority


@pytest.fixture(scope="module")
def proxy():
    with squid() as running:
        yield running


def through(proxy, no_proxy="", login=""):
    url = f"http://{login}{proxy.host}"
    return Proxy(http=url, https=url, no_proxy=no_proxy)


def port(server):
    return server.host.partition(":")[2]


def test_without_tls(registry, made, proxy, tmp_path):
    host = f"{NAME}:{port(registry)}"
    reader = Reader(tmp_path / "cache", proxy=through(proxy), plain_http=frozenset({host}))
    assert reader.read(f"{host}/team/release:a").digest == made.digest
    assert proxy.went(f"GET http://{host}/v2/team/release/manifests/a")


def test_with_tls_and_the_proxy_of_the_environment(registry, made, proxy, tmp_path, monkeypatch):
    authority = Authority()
    monkeypatch.setenv("HTTPS_PROXY", f"http://{proxy.host}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with serving(tmp_path / "server", registry.storage, **authority.tls(tmp_path / "tls", NAME)) as server:
        host = f"{NAME}:{port(server)}"
        reader = Reader(tmp_path / "cache", trust_bundle=authority.pem.decode())
        assert reader.read(f"{host}/team/release:a").digest == made.digest
    assert proxy.went(f"CONNECT {host}")


def test_a_registry_in_no_proxy_is_asked_directly(registry, made, proxy, tmp_path):
    """Loopback is never proxied, and this squid would be asked for anything else."""
    log = proxy.log.read_text() if proxy.log.exists() else ""
    reader = Reader(tmp_path / "cache", proxy=through(proxy), plain_http=frozenset({registry.host}))
    assert reader.read(f"{registry.host}/team/release:a").digest == made.digest
    assert registry.host not in (proxy.log.read_text() if proxy.log.exists() else "").removeprefix(log)


def test_a_proxy_that_is_not_there(tmp_path):
    gone = Proxy(http="", https="http://me:s3cret@127.0.0.1:1", no_proxy="")
    with pytest.raises(Unreachable, match=r"through the proxy 127\.0\.0\.1:1 \(Connection refused\)") as caught:
        Reader(tmp_path / "cache", proxy=gone).read(f"{NAME}/team/release:a")
    assert "s3cret" not in str(caught.value)
    assert f"add {NAME} to noProxy" in str(caught.value)


def test_a_host_that_the_proxy_does_not_reach(proxy, tmp_path):
    with pytest.raises(Unreachable, match=rf"{NAME}:1: the proxy {proxy.host} cannot reach it \(50[34]\)"):
        Reader(tmp_path / "cache", proxy=through(proxy)).read(f"{NAME}:1/team/release:a")


def test_a_proxy_that_wants_a_password(registry, made, tmp_path):
    host = f"{NAME}:{port(registry)}"
    plain = frozenset({host})
    with squid(passwords=True) as strict:
        for hosts in (plain, frozenset()):
            with pytest.raises(ProxyRefused, match=rf"^{host}: the proxy {strict.host} answers 407\n    fix: put user"):
                Reader(tmp_path / "cache", proxy=through(strict), plain_http=hosts).read(f"{host}/team/release:a")
        login = f"{registry_proxy.USER}:{registry_proxy.PASSWORD}@"
        reader = Reader(tmp_path / "cache", proxy=through(strict, login=login), plain_http=plain)
        assert reader.read(f"{host}/team/release:a").digest == made.digest


@pytest.mark.parametrize(
    ("no_proxy", "url", "direct"),
    [
        ("", "https://quay.io/v2/", False),
        ("quay.io", "https://quay.io/v2/", True),
        ("quay.io", "https://cdn.quay.io/v2/", True),
        (".quay.io", "https://quay.io/v2/", False),
        (".quay.io", "https://cdn.quay.io/v2/", True),
        ("*.quay.io", "https://cdn.quay.io/v2/", True),
        ("ay.io", "https://quay.io/v2/", False),
        ("quay.io:444", "https://quay.io/v2/", False),
        ("quay.io:443", "https://quay.io/v2/", True),
        ("10.0.0.0/8", "https://10.1.2.3/v2/", True),
        ("10.0.0.0/8", "https://11.1.2.3/v2/", False),
        ("10.0.0.0/99", "https://10.1.2.3/v2/", False),
        ("10.1.2.3", "https://10.1.2.3:5000/v2/", True),
        ("fd00::/8", "https://[fd00::1]:5000/v2/", True),
        ("[fd00::1]:5000", "https://[fd00::1]:5000/v2/", True),
        ("a.example.com, QUAY.io", "https://Quay.IO/v2/", True),
        ("*", "https://quay.io/v2/", True),
        ("", "https://localhost:5000/v2/", True),
        ("", "https://[::1]:5000/v2/", True),
    ],
)
def test_no_proxy(no_proxy, url, direct):
    proxy = Proxy(http="http://p:1", https="http://p:2", no_proxy=no_proxy)
    assert proxy_for(url, proxy) == (None if direct else "http://p:2")


def test_each_scheme_has_its_own_proxy():
    proxy = from_environment({"http_proxy": "p:1", "HTTPS_PROXY": ""})
    assert proxy_for("http://quay.io/", proxy) == "http://p:1"
    assert proxy_for("https://quay.io/", proxy) is None
