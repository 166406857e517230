"""Kubeconfigs of stage 06 as a way to the API, and what a message may not contain."""

from __future__ import annotations

import pytest
import yaml

from hardway.drive.access import read_kubeconfig
from hardway.drive.client import path
from hardway.drive.live import read_asset
from hardway.kubeconfigs.table import TABLE
from hardway.model.errors import ToolError
from tests.support.trees import built


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_each_kubeconfig_says_where_and_whom_to_believe(row):
    workspace = built()
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
