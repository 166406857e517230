"""The identity that new nodes ask with: as long as an installation takes, and a new one when it is over."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from click.testing import CliRunner
from cryptography import x509

from hardway.cli.status import status
from hardway.explain.explanation import explain_address
from hardway.graph.build import EXPIRED
from hardway.kubeconfigs import table as kubeconfigs
from hardway.pipeline import select
from hardway.pipeline.build import builder_of
from hardway.workspace.folder import open_workspace
from tests.support.clusters import VARIANTS, install_config
from tests.support.entropy import NOW, FixedEntropy
from tests.support.trees import build_folder, built, write_folder

DAY = timedelta(hours=24)


def made(folder, **settings):
    return build_folder(write_folder(folder, install_config(**VARIANTS["single"]), keys="ecdsa-p256", **settings))


def end(workspace):
    return x509.load_pem_x509_certificate(workspace.store.read("tls/kubelet-client.crt")).not_valid_after_utc


def test_it_ends_a_day_after_it_was_made_and_its_signer_does_not(tmp_path):
    workspace = made(tmp_path / "c")
    assert end(workspace) == NOW + DAY
    signer = workspace.store.read("tls/kubelet-bootstrap-kubeconfig-signer.crt")
    assert x509.load_pem_x509_certificate(signer).not_valid_after_utc > NOW + 3000 * DAY


def test_how_long_is_a_setting(tmp_path):
    assert end(made(tmp_path / "c", joining="2d12h")) == NOW + timedelta(hours=60)


def test_what_was_built_is_to_be_installed_before_it_ends(tmp_path):
    workspace = made(tmp_path / "c")
    line = select.deadline_line(workspace, NOW)
    assert line == (
        "deadline  install before 2025-06-02 12:00 UTC: cert/kubelet-client, with which new nodes join, expires then; "
        "`hardway build` renews it"
    )
    over = select.deadline_line(workspace, NOW + DAY)
    assert over == (
        "deadline  PASSED: cert/kubelet-client has expired, and no new node can join. Renew it with `hardway build`"
    )


def test_another_certificate_that_ends_first_is_renewed_on_request(tmp_path):
    line = select.deadline_line(made(tmp_path / "c", joining="9d"), NOW)
    assert line.endswith("expires then; `hardway build --rotate expired` renews it")
    assert "kubelet-client" not in line


def test_its_reason_says_how_long_what_follows_and_what_renews_it():
    text = explain_address(built("single"), "cert/kubelet-client").why.what
    assert all(said in text for said in ("24h; `joining` in hardway.yaml", "401", "`hardway build` renews it"))


def test_a_build_after_its_end_makes_a_new_one_and_what_holds_it(tmp_path):
    """A node that is installed later has a good one; the old key is of no use to whoever kept it."""
    workspace = made(tmp_path / "c")
    later = FixedEntropy(seed="later", now=NOW + DAY)
    assert builder_of(workspace, FixedEntropy(now=NOW + DAY - timedelta(seconds=1))).plan(workspace.graph) == {}
    before = {a: workspace.store.read(asset.path) for a, asset in workspace.graph.items()}
    outcome = builder_of(workspace, later).build(workspace.graph)
    assert {a for a, reason in outcome.made.items() if reason == EXPIRED} == {
        "key/kubelet-client",
        "cert/kubelet-client",
    }
    changed = {a for a, content in before.items() if workspace.store.read(workspace.graph[a].path) != content}
    kubeconfig = next(row.name for row in kubeconfigs.TABLE if row.identity == "kubelet-client")
    nodes = {f"ignition/{node.name}" for node in workspace.loaded.cluster.masters}
    assert changed == {"key/kubelet-client", "cert/kubelet-client", f"kubeconfig/{kubeconfig}", *nodes}
    assert end(workspace) == NOW + 2 * DAY
    assert builder_of(workspace, later).plan(workspace.graph) == {}


def test_status_says_when_and_that_it_is_over(tmp_path):
    folder = tmp_path / "c"
    made(folder)  # in the past
    said = CliRunner().invoke(status, [], obj=folder).output
    assert "it has expired: key/kubelet-client and 1 more" in said
    rows = json.loads(CliRunner().invoke(status, ["-o", "json"], obj=folder).output)["stages"]
    assert next(row["state"] for row in rows if row["stage"] == "05") == "stale"


@pytest.mark.parametrize(("text", "said"), [("0h", "must be 1h to 3650d"), ("soon", "is not a duration")])
def test_a_lifetime_that_is_none_is_refused(tmp_path, text, said):
    folder = write_folder(tmp_path / "c", install_config(**VARIANTS["single"]), joining=text)
    with pytest.raises(Exception, match=said):
        open_workspace(folder)
