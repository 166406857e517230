"""The table of operators: every flag, copy and output has its reason, and the calls are bootkube's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardway.bootkube.operators import table as operators
from hardway.bootkube.operators.row import Facts
from hardway.ignition import rendered
from hardway.release.catalogue import release_for
from hardway.render import outputs
from hardway.render.operators.run import call
from hardway.workspace.folder import open_workspace
from tests.support.clusters import VARIANTS, install_config
from tests.support.references import description
from tests.support.trees import built, write_folder

NAMES = [
    "api",
    "config",
    "cvo",
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "ingress",
    "node-tuning",
    "machine-config",
    "cloud-credential",
]
CATALOGUE = Facts(release=replace(release_for("4.18.0"), kubernetes="1.31.6"))


def test_every_operator_is_there_in_bootkubes_order():
    assert [row.name for row in operators.TABLE] == NAMES


@pytest.mark.parametrize("row", operators.TABLE, ids=lambda r: r.name)
def test_every_row_is_whole(row):
    names = [flag.name for flag in row.flags]
    assert len(set(names)) == len(names)
    assert all(flag.why.what and flag.why.breaks and flag.why.source for flag in row.flags)
    assert all(copy.why for copy in row.copies)
    assert all((row.why.what, row.why.readers, row.why.breaks, row.why.source))
    assert any(flag.value == f"/assets/{row.output}" for flag in row.flags), "nobody tells it where to write"


@pytest.mark.parametrize("row", operators.TABLE, ids=lambda r: r.name)
def test_a_call_names_images_and_versions_and_leaves_nothing_open(row):
    text = call(row, CATALOGUE)
    assert "${" not in text
    assert f"--volume=/opt/openshift:/assets:z {CATALOGUE.image(row.image)} " in text


def test_what_the_release_does_not_have_is_asked_for_as_bootkube_asks():
    bare = Facts(release=replace(release_for("4.18.0"), stands_in={"cluster-etcd-operator": "pod"}))
    etcd = operators.find("etcd")
    assert bare.missing(etcd) == "in release 4.18.0 the image pod stands in for cluster-etcd-operator"
    assert "$(image_for cluster-etcd-operator) /usr/bin/cluster-etcd-operator render" in call(etcd, bare)


def test_patterns_of_outputs_are_of_operators_and_no_two_are_alike():
    assert {row.operator for row in outputs.TABLE} <= set(NAMES)
    assert len({(row.operator, row.pattern) for row in outputs.TABLE}) == len(outputs.TABLE)


def planned(variant, folder):
    """What would be built; nothing is."""
    return open_workspace(write_folder(folder, install_config(**VARIANTS[variant]), kubeProxy=True))


def folder_of(workspace):
    """What lies below /opt/openshift, by our table."""
    documents = [(a, asset.path, asset.why) for a, asset in workspace.graph.items()]
    return {row.path: row for row in rendered.rows(documents)}


def test_the_folder_is_the_installers():
    """Beside what the installer puts there, ours has a token key that the installer leaves to an operator."""
    theirs = {f["path"] for f in description("3+2")["files"] if f["path"].startswith("/opt/openshift/")}
    ours = set(folder_of(built("default")))
    ssh = {f"/opt/openshift/openshift/99_openshift-machineconfig_99-{role}-ssh.yaml" for role in ("master", "worker")}
    key = {f"/opt/openshift/tls/bound-service-account-signing-key.{end}" for end in ("key", "pub")}
    network = {"/opt/openshift/manifests/cluster-network-03-config.yml"}
    assert ours - theirs == key | network
    assert theirs - ours - ssh == set()


def test_every_row_of_what_is_left_out_or_brought_finds_something(tmp_path):
    names, certificates = set(), set()
    for variant in VARIANTS:
        graph = planned(variant, tmp_path / variant).graph
        names |= {asset.path.rpartition("/")[2] for a, asset in graph.items() if a.startswith("manifest/")}
        certificates |= {asset.path.rpartition("/")[2] for asset in graph.values() if asset.path.startswith("tls/")}
    from fnmatch import fnmatch

    first = {next(row for row in rendered.BROUGHT if fnmatch(n, row.pattern)) for n in names if rendered.brought_by(n)}
    assert [row for row in rendered.BROUGHT if row not in first] == []
    assert [r for r in rendered.LEFT_OUT if not any(fnmatch(n, r.pattern) for n in certificates)] == []


def test_every_file_of_the_folder_has_a_reason():
    for path, row in folder_of(built("default")).items():
        assert all((row.why.what, row.why.readers, row.why.breaks)), path
