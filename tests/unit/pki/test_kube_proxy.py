"""kube-proxy's certificate and kubeconfig: made where masters run it, and their end is told."""

from __future__ import annotations

import shutil

import pytest

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.table import TABLE
from hardway.model.check import run
from hardway.pipeline.select import PROXY, deadlines, unrenewed_line
from tests.support.clusters import install_config
from tests.support.entropy import NOW
from tests.support.trees import build_folder, write_folder

MADE = {PROXY, "key/kube-control-plane-kube-proxy-client", "kubeconfig/kube-proxy", "pod/kube-proxy"}
CASES = [(("network",), False, set()), (("network",), True, MADE), ((), False, MADE)]


def cluster_folder(tmp_path, operators, asked):
    folder = write_folder(
        tmp_path / "c", install_config(), operators=operators, keys="ecdsa-p256", kubeProxy=asked, mco=False
    )
    return build_folder(folder)


@pytest.mark.parametrize(("operators", "asked", "wanted"), CASES)
def test_they_are_made_only_where_masters_run_it(tmp_path, operators, asked, wanted):
    workspace = cluster_folder(tmp_path, operators, asked)
    assert {a for a in workspace.graph if "kube-proxy" in a} == wanted
    assert any(workspace.store.root.glob("**/*kube-proxy*")) is bool(wanted)
    world = Artifacts(root=workspace.store.root, cluster=workspace.loaded.cluster, now=NOW)
    found = {f.check for f in run(TABLE, world).findings if "kube-proxy" in f.subject}
    assert found == set()


@pytest.mark.parametrize(("file", "check"), [("auth/kube-proxy.kubeconfig", "kubeconfig.present")])
def test_one_that_is_missing_is_found_where_it_is_needed(tmp_path, file, check):
    workspace = cluster_folder(tmp_path, (), False)
    (workspace.store.root / file).unlink()
    world = Artifacts(root=workspace.store.root, cluster=workspace.loaded.cluster, now=NOW)
    assert {f.check for f in run(TABLE, world).findings if f.subject == file} == {check}


@pytest.mark.parametrize(("operators", "asked", "wanted"), CASES)
def test_the_end_of_the_certificate_is_told_with_what_to_do(tmp_path, operators, asked, wanted):
    workspace = cluster_folder(tmp_path, operators, asked)
    line = unrenewed_line(workspace)
    assert bool(line) is bool(wanted)
    if wanted:
        [ends] = [d.ends for d in deadlines(workspace) if d.address == PROXY]
        assert line.startswith(f"renew     before {ends:%Y-%m-%d %H:%M} UTC")
        assert f"`hardway build --rotate {PROXY}`" in line
        assert ("unless kube-proxy has left by then" in line) is bool(operators)
    shutil.rmtree(workspace.store.root / "tls")
    assert unrenewed_line(workspace) == ""
