"""For each check of the user's own documents a planted defect: exactly that check must find it."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from dataclasses import replace

import pytest
import yaml

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition.tables import carried
from hardway.checks.files.manifests import objects
from hardway.checks.files.table import OWN
from hardway.model.check import run
from tests.support.entropy import NOW
from tests.support.own import config_map, documents, machine_config, text
from tests.support.trees import MCO_BASE, spare

SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "openshift-monitoring"}}
CONFIG = machine_config(kernelArguments=["quiet"])
CONFIG["spec"]["config"]["systemd"] = {"units": [{"name": "own.service", "contents": "[Unit]\n"}]}


@pytest.fixture
def world():
    """A tree with documents of the user's, in the artifacts, on the bootstrap node and in the render."""
    plain = spare("default")
    own = documents(a=text(config_map(), SECRET, CONFIG))
    ignition = json.loads((plain.root / "bootstrap.ign").read_text())
    for document in own:
        (plain.root / document.path).write_bytes(document.content)
        (plain.root / document.path).chmod(0o600)
        source = f"data:;base64,{b64encode(document.content).decode()}"
        entry = {"path": f"/opt/openshift/{document.path}", "mode": 384, "contents": {"source": source}}
        ignition["storage"]["files"].append(entry)
    (plain.root / "bootstrap.ign").write_text(json.dumps(ignition))
    shutil.copytree(MCO_BASE, plain.root / "mco/machine-configs")
    edit_render(plain, merge)
    return Artifacts(root=plain.root, cluster=replace(plain.cluster, own=own), now=NOW)


def edit_render(world, change):
    [path] = (world.root / "mco/machine-configs").glob("rendered-worker-*.yaml")
    render = yaml.load(path.read_bytes(), yaml.CSafeLoader)
    change(render["spec"])
    path.write_text(yaml.dump(render, Dumper=yaml.CSafeDumper))


def merge(spec):
    ours = CONFIG["spec"]["config"]
    spec["config"]["storage"]["files"] += ours["storage"]["files"]
    spec["config"]["systemd"]["units"] += ours["systemd"]["units"]
    spec["kernelArguments"] = ["quiet"]


def plant_missing(world):
    (world.root / "manifests/a-1.yaml").unlink()


def plant_changed(world):
    (world.root / "manifests/a-1.yaml").write_bytes(text(config_map(a="b")).encode())


def plant_readable_secret(world):
    (world.root / "manifests/a-2.yaml").chmod(0o644)


def plant_no_file(world):
    edit_render(world, lambda spec: spec["config"]["storage"]["files"].pop())


def plant_other_content(world):
    edit_render(world, lambda spec: spec["config"]["storage"]["files"][-1]["contents"].update(source="data:,other"))


def plant_no_unit(world):
    edit_render(world, lambda spec: spec["config"]["systemd"]["units"].pop())


def plant_no_argument(world):
    edit_render(world, lambda spec: spec.update(kernelArguments=None))


DEFECTS = {
    plant_missing: ("own.present", "your ConfigMap default/a (manifests/a.yaml) is missing"),
    plant_changed: ("own.same", "it is not your ConfigMap default/a as manifests/a.yaml:1 has it"),
    plant_readable_secret: ("own.modes", "has mode 0644, and is a Secret"),
    plant_no_file: ("own.rendered", "the file /etc/motd.d/own of your MachineConfig 50-motd"),
    plant_other_content: ("own.rendered", "the file /etc/motd.d/own of your MachineConfig 50-motd"),
    plant_no_unit: ("own.rendered", "the unit own.service of your MachineConfig 50-motd"),
    plant_no_argument: ("own.rendered", "the kernel argument quiet of your MachineConfig 50-motd"),
}


def test_a_whole_tree_has_no_finding(world):
    assert run(OWN, world).findings == ()
    assert list(objects.kinds(world)) == []
    assert list(objects.namespaces(world)) == []
    assert list(carried(world)) == []


@pytest.mark.parametrize("plant", DEFECTS, ids=lambda plant: plant.__name__)
def test_exactly_the_planted_defect_is_found(world, plant):
    plant(world)
    [finding] = run(OWN, world).findings
    name, said = DEFECTS[plant]
    assert finding.check == name
    assert said in finding.message
    assert finding.fix


def test_every_check_has_a_defect():
    assert {check.name for check in OWN} == {name for name, _ in DEFECTS.values()}


def test_a_document_that_the_bootstrap_node_lacks(world):
    path = world.root / "bootstrap.ign"
    ignition = json.loads(path.read_text())
    ignition["storage"]["files"][-3]["contents"]["source"] = "data:,old"
    ignition["storage"]["files"].pop()
    path.write_text(json.dumps(ignition))
    assert [flaw.message for flaw in carried(world)] == [
        "/opt/openshift/manifests/a-1.yaml is not manifests/a-1.yaml on disk",
        "/opt/openshift/manifests/a-3.yaml is missing",
    ]


@pytest.fixture
def elsewhere(world):
    """The same tree, seen from a folder that has none of these documents."""
    return Artifacts(root=world.root, cluster=replace(world.cluster, own=()), now=NOW)


def test_a_tree_from_a_folder_with_other_documents(elsewhere):
    assert list(carried(elsewhere)) == []
    assert list(objects.namespaces(elsewhere)) == []


def test_a_document_from_elsewhere_that_is_not_on_the_node(elsewhere):
    edit_bootstrap(elsewhere, lambda files: files.pop())
    message = "manifests/a-3.yaml is on disk and not in the Ignition file, so nothing applies it"
    assert [flaw.message for flaw in carried(elsewhere)] == [message]


def test_a_document_from_elsewhere_that_differs_on_the_node(elsewhere):
    edit_bootstrap(elsewhere, lambda files: files[-1]["contents"].update(source="data:,other"))
    message = "/opt/openshift/manifests/a-3.yaml is not manifests/a-3.yaml on disk"
    assert [flaw.message for flaw in carried(elsewhere)] == [message]


def edit_bootstrap(world, change):
    ignition = json.loads((world.root / "bootstrap.ign").read_text())
    change(ignition["storage"]["files"])
    (world.root / "bootstrap.ign").write_text(json.dumps(ignition))


def test_a_namespace_that_nobody_makes(world):
    own = (*world.cluster.own, *documents(b=text(config_map(namespace="nowhere"))))
    (world.root / own[-1].path).write_bytes(own[-1].content)
    other = Artifacts(root=world.root, cluster=replace(world.cluster, own=own), now=NOW)
    assert ["namespace nowhere is made by no manifest" in flaw.message for flaw in objects.namespaces(other)] == [True]


def test_of_two_that_write_one_file_the_last_name_counts(world):
    both = (*world.cluster.own, *documents(b=text(machine_config("40-motd", text="earlier"))))
    (world.root / both[-1].path).write_bytes(both[-1].content)
    other = Artifacts(root=world.root, cluster=replace(world.cluster, own=both), now=NOW)
    assert run(OWN, other).findings == ()


def test_without_a_render_only_the_check_of_it_is_skipped(world):
    shutil.rmtree(world.root / "mco")
    assert list(run(OWN, world).skipped) == ["own.rendered"]


def test_without_documents_nothing_is_skipped():
    report = run(OWN, spare("default"))
    assert (report.findings, dict(report.skipped)) == ((), {})
