"""The user's folder manifests/ beside our own documents: what clashes, what is replaced, what is made of it."""

from __future__ import annotations

import os

import pytest
import yaml

from hardway.explain import atlas
from hardway.explain.place import explain_file
from hardway.graph.asset import digest
from hardway.manifests.machines import CONTROLLER_KINDS
from hardway.model.errors import ConfigError
from hardway.pipeline.build import builder_of
from hardway.pipeline.status import status
from hardway.render.mco.inputs import addresses
from hardway.workspace.folder import open_workspace
from tests.support.bounded import bounded
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.own import config_map, machine_config, text
from tests.support.trees import write_folder

SCHEDULER = {
    "apiVersion": "config.openshift.io/v1",
    "kind": "Scheduler",
    "metadata": {"name": "cluster"},
    "spec": {"mastersSchedulable": True},
}
OURS = "manifest/cluster-scheduler-02-config.yml"


@pytest.fixture
def folder(tmp_path):
    place = write_folder(tmp_path / "c", install_config(), mco=False)
    (place / "manifests").mkdir()
    return place


def put(folder, name, *documents):
    (folder / "manifests" / name).write_text(text(*documents))


def refused(folder, *replace):
    before = sorted(folder.rglob("*"))
    with pytest.raises(ConfigError) as caught:
        open_workspace(folder, replace=replace)
    assert sorted(folder.rglob("*")) == before
    return str(caught.value)


def build(folder, *replace):
    """Only what the user's documents make: nothing else is needed for it."""
    workspace = open_workspace(folder, replace=replace)
    own = [document.address for document in workspace.loaded.cluster.own]
    return builder_of(workspace, FixedEntropy()).build(own)


@pytest.mark.parametrize("namespace", ["kube-system", "default"])
def test_a_namespace_does_not_hide_that_an_object_is_ours(folder, namespace):
    put(folder, "a.yaml", SCHEDULER | {"metadata": {"name": "cluster", "namespace": namespace}})
    assert "Scheduler is cluster-scoped" in refused(folder)


def sparse(folder, count, size):
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        with (folder / f"{number}.yaml").open("wb") as file:
            file.truncate(size)


@pytest.mark.parametrize(
    ("place", "count", "size", "said"),
    [
        ("manifests", 6, 200 << 20, "0.yaml:1:1: error: is larger than 16 MiB"),
        ("manifests", 9, 15 << 20, "4.yaml:1:1: error: with this file, those of the folder have more than 64 MiB"),
        ("assets/crds", 6, 200 << 20, "is larger than 16 MiB"),
        ("assets/crds", 9, 15 << 20, "its files have more than 64 MiB"),
    ],
)
def test_large_files_are_not_read_into_memory(folder, place, count, size, said):
    sparse(folder / place, count, size)

    def attack():
        with pytest.raises((ConfigError, OSError)) as caught:
            open_workspace(folder)
        print(caught.value)

    ended = bounded(attack)
    assert ended.returncode == 0, ended.stderr
    assert said in ended.stdout


def test_a_file_whose_name_is_refused_is_not_read(folder):
    sparse(folder / "manifests", 1, 200 << 20)
    (folder / "manifests/0.yaml").rename(folder / "manifests/large.iso")
    assert "only files whose names end with .yaml or .yml are" in refused(folder)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (b"a.yaml", b"a: \xff\n", "a.yaml is not UTF-8 text"),
        (b"a\xff.yaml", b"a: b\n", r"the name 'a\udcff.yaml' is not made of ASCII characters"),
    ],
)
def test_crds_that_stage_04_did_not_bring(folder, name, content, said):
    (folder / "assets/crds").mkdir(parents=True)
    (folder / "assets/crds" / os.fsdecode(name)).write_bytes(content)
    told = refused(folder)
    assert said in told
    assert "fix: remove the folder" in told


def test_a_document_becomes_a_manifest_and_part_of_the_bootstrap_node(folder):
    put(folder, "50-own.yaml", config_map())
    graph = open_workspace(folder, replace=()).graph
    assert graph["manifest/50-own.yaml"].stage == "07"
    assert "manifest/50-own.yaml" in graph["ignition/bootstrap"].needs
    assert "manifest/50-own.yaml" in addresses(graph)


def test_nothing_else_is_touched_by_a_document(folder):
    before = {a: (x.needs, x.params) for a, x in open_workspace(folder, replace=()).graph.items()}
    put(folder, "50-own.yaml", config_map())
    after = {a: (x.needs, x.params) for a, x in open_workspace(folder, replace=()).graph.items()}
    assert {a for a in after if after[a] != before.get(a)} == {"manifest/50-own.yaml", "ignition/bootstrap", "plan/map"}


def test_a_second_build_makes_nothing_and_a_change_makes_one(folder):
    put(folder, "50-own.yaml", config_map(), machine_config())
    assert sorted(build(folder).made) == ["manifest/50-own-1.yaml", "manifest/50-own-2.yaml"]
    assert build(folder).made == {}
    put(folder, "50-own.yaml", config_map(), machine_config(text="other"))
    assert build(folder).made == {"manifest/50-own-2.yaml": "content changed"}


def test_what_leaves_the_folder_leaves_the_artifacts(folder):
    put(folder, "50-own.yaml", config_map())
    build(folder)
    (folder / "manifests/50-own.yaml").unlink()
    assert build(folder).removed == ["manifests/50-own.yaml"]
    assert not (folder / "assets/manifests/50-own.yaml").exists()


def test_a_secret_is_private_and_as_it_was_written(folder):
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "stringData": {"p": "hunter2"}}
    put(folder, "secret.yaml", secret)
    build(folder)
    made = folder / "assets/manifests/secret.yaml"
    assert made.stat().st_mode & 0o777 == 0o600
    assert digest(made.read_bytes()) == digest((folder / "manifests/secret.yaml").read_bytes())


def test_an_object_of_ours_is_refused_with_the_fix(folder):
    put(folder, "a.yaml", SCHEDULER)
    said = refused(folder)
    assert f"{folder}/manifests/a.yaml:4:3: error: metadata.name: Scheduler cluster is made by hardway already" in said
    assert f"hardway build --replace {OURS}" in said


@pytest.mark.parametrize("where", ["option", "setting"])
def test_a_document_stands_in_for_ours_when_it_is_named(folder, where):
    put(folder, "a.yaml", SCHEDULER)
    if where == "setting":
        (folder / "hardway.yaml").write_text(yaml.safe_dump({"replace": [OURS]}))
    outcome = build(folder, *([OURS] if where == "option" else []))
    assert list(outcome.made) == [OURS]
    path = folder / "assets" / open_workspace(folder).graph[OURS].path
    assert yaml.safe_load(path.read_text())["spec"] == {"mastersSchedulable": True}


def test_who_only_looks_is_not_refused(folder):
    put(folder, "a.yaml", SCHEDULER)
    assert open_workspace(folder).loaded.cluster.own[0].address == OURS


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (OURS, "no document of manifests/ is Scheduler cluster"),
        ("manifest/cluster-schedule-02-config.yml", f"did you mean {OURS}?"),
        ("elsewhere", "hardway makes no such manifest"),
    ],
)
def test_a_replacement_that_replaces_nothing(folder, word, said):
    assert said in refused(folder, word)


@pytest.mark.parametrize("name", ["cluster-scheduler-02-config.yml", "99_openshift-machineconfig_99-master-ssh.yaml"])
def test_a_file_of_ours_keeps_its_name(folder, name):
    put(folder, name, config_map())
    assert "hardway makes a file of this name" in refused(folder)


def test_every_object_of_ours_is_known_before_anything_is_built(folder):
    """Also those that are made of keys, which are not there yet."""
    for name, kind in (("etcd-peer-bootstrap", "Secret"), ("etcd-signer", "Secret"), ("etcd-ca-bundle", "ConfigMap")):
        about = {"name": name, "namespace": "openshift-etcd"}
        put(folder, f"{name}.yaml", {"apiVersion": "v1", "kind": kind, "metadata": about})
    assert refused(folder).count("is made by hardway already") == 3


def plant_link(place):
    (place / "a.yaml").symlink_to("/etc/hostname")


def plant_pipe(place):
    os.mkfifo(place / "a.yaml")


def plant_folder(place):
    (place / "a.yaml").mkdir()


@pytest.mark.parametrize("plant", [plant_link, plant_pipe, plant_folder])
def test_what_is_no_file_is_refused_and_not_opened(folder, plant):
    plant(folder / "manifests")
    put(folder, "b.yaml", config_map() | {"kind": "Nothing"})
    said = refused(folder)
    assert f"{folder}/manifests/a.yaml:1:1: error: " in said
    assert f"{folder}/manifests/b.yaml:2:1: error: kind: 'Nothing'" in said


@pytest.mark.parametrize("name", ["more", "more.yaml"])
def test_a_folder_inside_is_told_to_be_one(folder, name):
    (folder / "manifests" / name).mkdir()
    said = refused(folder)
    assert "is a folder, and is not read" in said
    assert said.count("error: ") == 1


def test_a_folder_that_is_a_link_is_refused(folder, tmp_path):
    (folder / "manifests").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (folder / "manifests").symlink_to(tmp_path / "elsewhere")
    assert "is a symbolic link" in refused(folder)


def test_hidden_files_are_passed_over(folder):
    (folder / "manifests/.a.yaml.swp").write_bytes(b"\xff")
    assert open_workspace(folder, replace=()).loaded.cluster.own == ()


def test_status_counts_them(folder):
    put(folder, "a.yaml", config_map(), config_map("b"))
    build(folder)
    row = next(row for row in status(open_workspace(folder)) if row.stage.number == "07")
    assert (row.files, row.own) == (2, 2)


def test_explain_says_whose_it_is_and_where_it_goes(folder):
    put(folder, "a.yaml", config_map(), machine_config())
    workspace = open_workspace(folder)
    entry = atlas.find(workspace, "manifest/a-2.yaml")
    assert entry is not None
    assert entry.why.what == "Yours: MachineConfig 50-motd, from manifests/a.yaml, document 2 of 2."
    assert dict(entry.facts) == {
        "MCO takes": CONTROLLER_KINDS["MachineConfig"],
        "on the node": "/opt/openshift/manifests/a-2.yaml",
    }
    whole = explain_file(workspace, folder / "manifests/a.yaml", None)
    assert dict(whole.facts)["line 1"] == "ConfigMap default/a becomes manifest/a-1.yaml"
    second = workspace.loaded.cluster.own[1].first
    assert explain_file(workspace, folder / "manifests/a.yaml", second + 2).address == "manifest/a-2.yaml"


@pytest.mark.parametrize("road", ["hand", "operators", "rendered"])
def test_a_document_is_on_the_bootstrap_node_whatever_its_name(folder, road):
    """On the rendered road operators bring files of such names; this one nobody brings."""
    unmanaged = "unmanagedOperators: [etcd, kube-apiserver, kube-controller-manager, kube-scheduler]\n"
    (folder / "hardway.yaml").write_text(f"road: {road}\n{unmanaged if road == 'hand' else ''}")
    put(folder, "secret-mine.yaml", {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "mine"}})
    assert "manifest/secret-mine.yaml" in open_workspace(folder, replace=()).graph["ignition/bootstrap"].needs
