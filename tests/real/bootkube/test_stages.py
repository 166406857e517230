"""bootkube's stages with the real operators, on a folder that is laid out as the bootstrap node's root."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from hardway.bootkube.context import Context
from hardway.bootkube.run import chosen, is_done, run
from hardway.bootkube.table import BY_NAME, TABLE
from hardway.model.errors import ToolError
from hardway.registry.access import Access
from hardway.registry.choose import access_of
from hardway.render.operators.inputs import facts
from hardway.render.operators.run import planned_machine
from hardway.tools.run import Done
from hardway.workspace.folder import open_workspace
from tests.support.ignition.files import files

RENDERS = chosen(last=BY_NAME["cco-bootstrap"])
PODS = {"etcd-member-pod.yaml", "machineconfigoperator-bootstrap-pod.yaml"}
LATER = {
    "bootstrap-pod.yaml",
    "kube-apiserver-pod.yaml",
    "kube-controller-manager-pod.yaml",
    "kube-scheduler-pod.yaml",
}


def laid_out(folder, root):
    """The files of bootstrap.ign, without a machine that boots from it."""
    for path, file in files((folder / "assets/bootstrap.ign").read_bytes()).items():
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        target.chmod(file.mode)
    return root


def context(folder, root, said):
    workspace = open_workspace(folder)
    answer = Done(command=(), code=0, output="192.0.2.1 api\n", errors="")
    return Context(
        root=root,
        run=lambda argv: answer,
        machine=planned_machine(workspace.loaded.cluster),
        workspace=workspace,
        facts=facts(workspace),
        access=access_of(workspace.loaded),
        say=said.append,
        sleep=lambda seconds: None,
    )


@pytest.fixture(scope="module")
def node(operated, tmp_path_factory):
    """After every render; never change it."""
    said, told = [], []
    ctx = context(operated, laid_out(operated, tmp_path_factory.mktemp("node")), said)
    run(ctx, RENDERS, lambda stage, what: told.append((stage.name, what)))
    return ctx, said, told


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_every_stage_ran_once_and_left_its_marker(node):
    ctx, _, told = node
    assert told == [(row.name, what) for row in RENDERS for what in ("begins", "done")]
    assert all(is_done(ctx, row) for row in RENDERS if row.marker)


def test_the_kubelet_finds_the_two_pods_that_do_not_wait_for_cluster_bootstrap(node):
    ctx, _, _ = node
    assert names(ctx.on_node("/etc/kubernetes/manifests")) == PODS
    assert names(ctx.opt / "bootstrap-manifests") == LATER


def test_the_api_server_has_its_config_and_etcds_bundle(node):
    ctx, _, _ = node
    config = yaml.safe_load(ctx.on_node("/etc/kubernetes/bootstrap-configs/kube-apiserver-config.yaml").read_text())
    arguments = config["apiServerArguments"]
    assert arguments["etcd-cafile"] == ["/etc/kubernetes/secrets/etcd-ca-bundle.crt"]
    member = ctx.on_node("/etc/kubernetes/static-pod-resources/etcd-member/ca.crt")
    assert (ctx.opt / "tls/etcd-ca-bundle.crt").read_bytes() == member.read_bytes()


def test_what_cannot_be_had_is_said_and_ours_stands_in(node):
    ctx, said, _ = node
    text = "\n".join(said)
    assert "stands in for cluster-kube-controller-manager-operator; in its place: bootstrap-manifests/kube-con" in text
    assert "has no image cloud-credential-operator; in its place: nothing" in text
    assert "secret-csr-signer-signer.yaml" in names(ctx.opt / "manifests")
    assert {"controller-manager.kubeconfig", "scheduler.kubeconfig"} <= names(ctx.opt / "tls")


def test_keys_stay_private_and_no_file_is_left_half(node):
    ctx, _, _ = node
    for path in ctx.root.rglob("*"):
        assert not path.name.endswith(".part"), path
        if path.suffix == ".key":
            assert path.stat().st_mode & 0o077 == 0, path


def test_a_second_run_does_nothing(node):
    ctx, _, _ = node
    before = {p: p.stat().st_mtime_ns for p in ctx.root.rglob("*")}
    told = []
    run(ctx, [row for row in RENDERS if row.marker], lambda stage, what: told.append(what))
    assert set(told) == {"kept"}
    assert {p: p.stat().st_mtime_ns for p in ctx.root.rglob("*")} == before


def test_a_stage_that_failed_is_run_again_and_none_after_it_ran(operated, tmp_path):
    root, told = laid_out(operated, tmp_path / "root"), []
    ctx = context(operated, root, [])
    network = ctx.opt / "manifests/cluster-network-02-config.yml"
    good = network.read_text()
    network.write_text(good.replace("172.30.0.0/16", "172.30.0.0/99"))
    stages = [BY_NAME[name] for name in ("release-info", "openshift-manifests", "etcd-bootstrap", "mco-bootstrap")]
    with pytest.raises(ToolError, match=r"the render of etcd failed(.|\n)*172\.30\.0\.0/99"):
        run(ctx, stages, lambda stage, what: told.append((stage.name, what)))
    assert told[-1] == ("etcd-bootstrap", "begins")
    assert not is_done(ctx, BY_NAME["etcd-bootstrap"])
    network.write_text(good)
    run(ctx, stages, lambda stage, what: told.append((stage.name, what)))
    assert ("openshift-manifests", "kept") in told
    assert told[-1] == ("mco-bootstrap", "done")


def test_again_runs_what_is_done(operated, tmp_path):
    ctx = context(operated, laid_out(operated, tmp_path / "root"), [])
    stages, told = [BY_NAME["openshift-manifests"]], []
    for again in (False, False, True):
        run(ctx, stages, lambda stage, what: told.append(what), again=again)
    assert told == ["begins", "done", "kept", "begins", "done"]


def test_an_image_that_is_here_is_not_asked_for_again(operated, tmp_path):
    """To one who asks with TLS, as the second run would, the registry gives no answer that podman takes."""
    ctx = context(operated, laid_out(operated, tmp_path / "root"), [])
    stages, told = [BY_NAME[name] for name in ("release-info", "openshift-manifests", "etcd-bootstrap")], []
    run(ctx, stages, lambda stage, what: told.append((stage.name, what)))
    run(replace(ctx, access=Access()), stages, lambda stage, what: told.append((stage.name, what)), again=True)
    assert told.count(("etcd-bootstrap", "done")) == 2


def test_waiting_ends_with_what_is_missing(operated, tmp_path):
    said = []
    ctx = context(operated, tmp_path, said)
    with pytest.raises(ToolError, match=r"waited -1 s for a sign\.\n    missing: nothing yet"):
        ctx.wait("a sign", lambda: "nothing yet", seconds=-1)
    assert said == ["waiting for a sign: nothing yet"]


def test_names_without_an_address_stop_nobody(operated, tmp_path):
    said = []
    ctx = replace(context(operated, tmp_path, said), run=lambda argv: Done(command=(), code=2, output="", errors=""))
    run(ctx, [row for row in TABLE if row.name == "api-dns-resolved"], lambda stage, what: None)
    assert all("has no address; continuing" in text for text in said)
    assert not is_done(ctx, BY_NAME["api-dns-resolved"])
