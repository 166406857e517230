"""Kubeconfigs of stage 06 as a way to the API, and what a message may not contain."""

from __future__ import annotations

import pytest
import yaml

from hardway.drive.access import given_kubeconfig, read_kubeconfig
from hardway.drive.client import path
from hardway.drive.live import read_asset
from hardway.kubeconfigs.table import TABLE
from hardway.model.errors import ConfigError, ToolError
from tests.support.trees import built, built_now


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_each_kubeconfig_says_where_and_whom_to_believe(row):
    workspace = built_now(operators=())  # masters run kube-proxy
    access = read_kubeconfig((workspace.store.root / row.path).read_text())
    (endpoint,) = access.endpoints
    server = row.server(workspace.loaded.cluster)
    assert f"https://{endpoint}" == server
    assert endpoint.name == (row.tls_server_name or endpoint.host)
    assert access.identity.trust == (workspace.store.root / f"tls/{row.trust}.crt").read_bytes()
    assert access.identity.key == (workspace.store.root / f"tls/{row.identity}.key").read_bytes()


def test_other_addresses_do_not_change_the_name_that_must_be_proved():
    text = (built().store.root / "auth/kubeconfig").read_text()
    access = read_kubeconfig(text, reach=["192.0.2.1", "fd00::1"])
    assert [str(e) for e in access.endpoints] == ["192.0.2.1:6443", "[fd00::1]:6443"]
    assert {e.name for e in access.endpoints} == {"api.ocp4.example.com"}


def test_a_key_is_not_shown_by_accident():
    access = read_kubeconfig((built().store.root / "auth/kubeconfig").read_text())
    assert "PRIVATE KEY" in access.identity.key.decode()
    assert "PRIVATE" not in repr(access)


@pytest.mark.parametrize("damage", ["current-context", "users", "clusters", "contexts"])
def test_a_damaged_kubeconfig_is_named_without_its_content(damage):
    config = yaml.safe_load((built().store.root / "auth/kubeconfig").read_text())
    del config[damage]
    with pytest.raises(ToolError, match=r"^mine: this is not a kubeconfig.*\n    fix: ") as error:
        read_kubeconfig(yaml.safe_dump(config), what="mine")
    assert "client" not in str(error.value)


def test_a_tree_that_was_not_built_is_said(tmp_path):
    with pytest.raises(ToolError, match=r"No such file.*\n    fix: build it first"):
        read_asset(tmp_path, "auth/kubeconfig")


def test_paths_of_the_api():
    assert path("/api/v1/nodes") == "/api/v1/nodes"
    assert path("/api/v1/pods", "a", namespace="b", sub="log") == "/api/v1/namespaces/b/pods/a/log"
    assert path("/apis/apps/v1/deployments", namespace="b") == "/apis/apps/v1/namespaces/b/deployments"
    assert path("/api/v1/nodes", "../secrets") == "/api/v1/nodes/..%2Fsecrets"


def given(tmp_path, **changes):
    """The administrator's, as another program would write it: `cluster` and `user` changed by these."""
    config = yaml.safe_load((built().store.root / "auth/kubeconfig").read_text())
    config["clusters"][0]["cluster"] |= changes.get("cluster", {})
    config["users"][0]["user"] |= changes.get("user", {})
    for holder in (config["clusters"][0]["cluster"], config["users"][0]["user"]):
        for key in [key for key, value in holder.items() if value is None]:
            del holder[key]
    (tmp_path / "theirs").write_text(yaml.safe_dump(config))
    return given_kubeconfig(tmp_path / "theirs")


def test_a_users_kubeconfig_may_name_files(tmp_path):
    inline = given(tmp_path)
    (tmp_path / "ca.crt").write_bytes(inline.identity.trust)
    (tmp_path / "me.crt").write_bytes(inline.identity.certificate)
    (tmp_path / "me.key").write_bytes(inline.identity.key)
    by_name = given(
        tmp_path,
        cluster={"certificate-authority-data": None, "certificate-authority": "ca.crt"},
        user={"client-certificate-data": None, "client-certificate": "me.crt", "client-key-data": None}
        | {"client-key": str(tmp_path / "me.key")},
    )
    assert by_name == inline


def test_a_users_kubeconfig_may_have_a_token(tmp_path):
    found = given(tmp_path, user={"client-certificate-data": None, "client-key-data": None, "token": "sha256~abc"})
    assert (found.identity.token, found.identity.certificate) == ("sha256~abc", b"")


@pytest.mark.parametrize("host", ["api.example.com.", "192.0.2.1", "[fd00::1]", "api_1"])
def test_a_users_kubeconfig_may_name_the_server_in_every_way(tmp_path, host):
    (endpoint,) = given(tmp_path, cluster={"server": f"https://{host}:6443"}).endpoints
    assert str(endpoint) == f"{host}:6443"


def test_a_line_end_after_a_token_is_not_part_of_it(tmp_path):
    found = given(tmp_path, user={"client-certificate-data": None, "client-key-data": None, "token": "abc\r\n"})
    assert found.identity.token == "abc"


@pytest.mark.parametrize(
    ("changes", "flaw"),
    [
        ({"user": {"exec": {"command": "aws"}}}, "a program that makes a token, which is not supported"),
        ({"user": {"tokenFile": "x"}}, "a file with a token, which is not supported"),
        ({"user": {"username": "kubeadmin", "password": "hidden"}}, "a password, which is not supported"),
        ({"user": {"client-key-data": None}}, "neither a client certificate with its key nor a token"),
        ({"user": {"client-key-data": "bm90aGluZw=="}}, "cannot be read, or the two do not belong together"),
        ({"cluster": {"insecure-skip-tls-verify": True}}, "turns off the verification"),
        ({"cluster": {"server": "http://api:6443"}}, "not reached by https directly"),
        ({"cluster": {"server": "https://api/k8s/clusters/c1"}}, "not reached by https directly"),
        ({"cluster": {"proxy-url": "socks5://localhost"}}, "not reached by https directly"),
        ({"cluster": {"certificate-authority-data": None, "certificate-authority": "gone"}}, "gone: No such file"),
        ({"user": {"token": "hidden\nX-Other: 1"}}, "token is not one line of ASCII characters"),
        ({"user": {"token": "hidd\u00e9n hidden"}}, "token is not one line of ASCII characters"),
        ({"user": {"token": 7}}, "token is not one line of ASCII characters"),
        ({"user": {"token": ["hidden"]}}, "token is not one line of ASCII characters"),
        ({"cluster": {"tls-server-name": 7}}, "tls-server-name does not name a host"),
        ({"cluster": {"tls-server-name": "a..b"}}, "tls-server-name does not name a host"),
        ({"cluster": {"tls-server-name": f"{'a' * 64}.b"}}, "tls-server-name does not name a host"),
        ({"cluster": {"server": "https://a..b:6443"}}, "server does not name a host"),
        ({"cluster": {"certificate-authority-data": None, "certificate-authority": "a\nok"}}, r"a\\nok: No such file"),
        ({"cluster": {"server": 3}}, "not a kubeconfig with a current context"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_users_kubeconfig_that_cannot_be_used_says_why(tmp_path, changes, flaw):
    with pytest.raises(ConfigError, match=rf"{flaw}.*\n    fix: ") as error:
        given(tmp_path, **changes)
    assert "hidden" not in str(error.value)
