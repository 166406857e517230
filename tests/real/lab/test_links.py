"""What a hostile node plants in its own root: no link of it leads this machine's hands out of that root."""

from __future__ import annotations

import pytest

from hardway.bootkube import context
from hardway.bootkube.cluster_bootstrap import place
from hardway.bootkube.context import Context
from hardway.io.links import LinkError
from hardway.lab import node
from hardway.lab.machines import LabMachines
from hardway.lab.paths import lab_paths
from hardway.lab.rendered import keep_access
from hardway.model.errors import ToolError
from tests.support.clusters import load_cluster

NODE = "master-0"
POD = "/etc/kubernetes/manifests/etcd-pod.yaml"


@pytest.fixture
def secret(tmp_path):
    """This machine's own: it is neither shown nor changed, and nothing appears beside it."""
    folder = tmp_path / "machine"
    folder.mkdir(mode=0o750)
    file = folder / "shadow"
    file.write_text("precious")
    file.chmod(0o640)
    before = (file.stat().st_mode, folder.stat().st_mode)
    yield file
    assert [p.name for p in folder.iterdir()] == ["shadow"]
    assert file.read_text() == "precious"
    assert (file.stat().st_mode, folder.stat().st_mode) == before


@pytest.fixture
def lab(tmp_path):
    paths = lab_paths("demo", tmp_path / "lab")
    for name in ("root", "upper"):
        (paths.node(NODE) / name / "etc").mkdir(parents=True)
    return LabMachines(paths=paths, cluster=load_cluster().cluster, assets=tmp_path, materials=None)


def root(lab):
    return lab.paths.node(NODE) / "root"


def test_files_are_not_put_into_a_folder_of_this_machine(lab, secret):
    (root(lab) / "etc/kubernetes").symlink_to(secret.parent)
    with pytest.raises(ToolError, match=f"{NODE}: {POD}: "):
        lab.put_files(NODE, {POD: (0o600, b"a pod")})


def test_a_file_of_this_machine_is_not_written_through_a_link(lab, secret):
    (root(lab) / "etc/kubernetes/manifests").mkdir(parents=True)
    (root(lab) / POD.lstrip("/")).symlink_to(secret)
    lab.put_files(NODE, {POD: (0o600, b"a pod")})
    assert (root(lab) / POD.lstrip("/")).read_bytes() == b"a pod"


def test_a_nodes_journal_is_below_what_the_node_has_written(lab, secret):
    upper = lab.paths.node(NODE) / "upper"
    (upper / "var").mkdir()
    (upper / "var/log").symlink_to(secret.parent)
    with pytest.raises(ToolError, match=f"{NODE}: .*/var/log: is a link that leads nowhere"):
        node.journal_folder(lab.paths, NODE)
    (upper / str(secret.parent).lstrip("/")).mkdir(parents=True)
    assert node.journal_folder(lab.paths, NODE).is_relative_to(upper.resolve())


def test_data_of_etcd_is_a_folder_and_no_link(lab, secret):
    (lab.paths.node(NODE) / "etcd").mkdir()
    (lab.paths.node(NODE) / "etcd/member").symlink_to(secret.parent)
    assert not lab.keeps_data(NODE)


@pytest.fixture
def ctx(lab):
    """The bootstrap node as bootkube's stages see it, with what they copy."""
    opt = root(lab) / "opt/openshift"
    for name in ("tls/etcd-client.crt", "auth/kubeconfig-loopback", "bootstrap-manifests/pod.yaml"):
        (opt / name).parent.mkdir(parents=True, exist_ok=True)
        (opt / name).write_text("theirs")
    nothing = dict.fromkeys(("run", "machine", "workspace", "facts", "access", "say"))
    return Context(root=root(lab), **nothing)


def test_bootkube_copies_no_file_of_this_machine_to_the_node(ctx, secret):
    planted = ctx.root / "opt/openshift/tls/etcd-client.crt"
    planted.unlink()
    planted.symlink_to(secret)
    with pytest.raises(LinkError, match="is a symbolic link"):
        place(ctx)
    assert "precious" not in "".join(p.read_text() for p in ctx.root.glob("etc/**/*") if p.is_file())


def test_bootkube_writes_into_no_folder_of_this_machine(ctx, secret):
    (ctx.root / "etc/kubernetes").symlink_to(secret.parent)
    with pytest.raises(ToolError, match="is a link that leads nowhere"):
        place(ctx)
    own = ctx.root / str(secret.parent).lstrip("/")
    own.mkdir(parents=True)  # the node's own folder of that name
    place(ctx)
    assert (own / "manifests/pod.yaml").read_text() == "theirs"


def test_bootkube_changes_no_mode_of_this_machine(ctx, secret):
    (ctx.root / "etc/kubernetes/bootstrap-secrets").mkdir(parents=True)
    (ctx.root / "etc/kubernetes/manifests").mkdir()
    (ctx.root / "etc/kubernetes/manifests/kube-apiserver-pod.yaml").touch()
    (ctx.root / "etc/kubernetes/bootstrap-secrets/planted").symlink_to(secret)
    place(ctx)


def test_a_folder_that_became_a_link_is_refused(ctx, secret):
    (ctx.root / "target").mkdir()
    (ctx.root / "target/tls").symlink_to(secret.parent)
    with pytest.raises(LinkError, match="is a symbolic link"):
        context.copy(ctx.opt, ctx.root / "target")


def test_the_keys_that_are_taken_from_the_node_are_the_nodes(ctx, secret):
    """Else a file of this machine would become the administrator's client key of etcd."""
    planted = ctx.root / "opt/openshift/tls/etcd-ca-bundle.crt"
    planted.symlink_to(secret)
    with pytest.raises(ToolError, match=r"etcd-ca-bundle\.crt: No such file"):
        keep_access(ctx)
