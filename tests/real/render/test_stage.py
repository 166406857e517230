"""Stage 04 with the real programs: a registry, podman, the machine-config operator, Ignition."""

from __future__ import annotations

import json
import re
import shutil

import pytest
import yaml

from hardway.ignition.base import read_base
from hardway.lines.default import DEFAULT
from tests.support import openpgp
from tests.support.hardway_program import hardway
from tests.support.ignition import tool as ignition_tool
from tests.support.lab.release import cluster_folder

NODES = ("master-0", "master-1", "master-2", "worker-0", "worker-1")


def said(folder, *words):
    done = hardway("-C", folder, "build", *words, "-o", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["release"]


def test_what_is_read_and_rendered(built, served):
    record = json.loads((built / "assets/release/release.json").read_text())
    assert record["image"] == served.plain.built.pull_spec
    assert record["images"]["etcd"].endswith(served.plain.built.images["etcd"])
    assert len(list((built / "assets/crds").iterdir())) == 24
    table = (built / "assets/release/components.md").read_text()
    assert all(f"| `{name}` |" in table for name in record["images"])
    base = read_base(built / "assets/mco", DEFAULT)
    numbers = {p: (len(b.section("storage", "files")), len(b.section("systemd", "units"))) for p, b in base.items()}
    assert numbers == {"master": (39, 21), "worker": (38, 21)}


@pytest.mark.parametrize("node", NODES)
def test_the_real_ignition_has_nothing_to_say_of_a_node_file(built, node):
    content = (built / "assets" / f"{node}.ign").read_bytes()
    assert ignition_tool.validate(content) == ""
    config = json.loads(content)
    paths = [entry["path"] for entry in config["storage"]["files"]]
    assert len(paths) == len(set(paths)) > 40
    assert len(config["systemd"]["units"]) >= 21


def test_a_node_file_is_laid_out(built):
    with ignition_tool.laid_out((built / "assets/master-1.ign").read_bytes()) as root:
        assert (root / "etc/hostname").read_text().strip() == "master-1"
        assert "api-int.ocp4.example.com" in (root / "etc/kubernetes/apiserver-url.env").read_text()
        assert (root / "etc/systemd/system/kubelet.service").exists()


def test_everything_verifies(built):
    done = hardway("-C", built, "verify", "-o", "json")
    report = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    assert [f["check"] for f in report["findings"]] == ["manifest.pull-secret"]  # a warning: no login is needed there


def test_a_second_build_asks_nobody(copied):
    first = {p: p.stat().st_mtime_ns for p in (copied / "assets").rglob("*") if p.is_file()}
    done = hardway("-C", copied, "build", "04", PATH="/nowhere", HTTP_PROXY="http://127.0.0.1:1")
    assert done.returncode == 0, done.stderr
    assert "render    kept" in done.stdout
    again = {p: p.stat().st_mtime_ns for p in (copied / "assets").rglob("*") if p.is_file()}
    assert {p for p in again if again[p] != first.get(p)} <= {copied / "assets/.hardway.jsonl"}


def test_an_input_that_changed_is_rendered_again(copied):
    before = read_base(copied / "assets/mco", DEFAULT)["master"].name
    config = yaml.safe_load((copied / "install-config.yaml").read_text())
    config["networking"]["serviceNetwork"] = ["172.31.0.0/16"]
    (copied / "install-config.yaml").write_text(yaml.safe_dump(config))
    release = said(copied)
    assert (release["read"], release["render"]) == (False, "made")
    assert read_base(copied / "assets/mco", DEFAULT)["master"].name != before


def test_a_render_that_was_changed_by_hand_is_made_again(copied):
    [file] = (copied / "assets/mco/machine-configs").glob("rendered-master-*")
    content = file.read_bytes()
    file.write_bytes(content.replace(b"api-int.", b"elsewhere."))
    assert said(copied)["render"] == "made"
    assert file.read_bytes() == content


def test_in_the_current_folder(copied):
    """podman takes a relative path for the name of a volume."""
    shutil.rmtree(copied / "assets/mco")
    done = hardway("build", "04", "-o", "json", cwd=copied)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["release"]["render"] == "made"
    assert (result["made"], result["kept"] > 100) == ({}, True)


def test_all_crds_of_the_feature_set(copied):
    settings = yaml.safe_load((copied / "hardway.yaml").read_text()) | {"crds": "all"}
    (copied / "hardway.yaml").write_text(yaml.safe_dump(settings))
    release = said(copied, "04")
    names = {yaml.safe_load(p.read_bytes())["metadata"]["name"] for p in (copied / "assets/crds").iterdir()}
    assert release["crds"] == len(names) > 40
    assert {"machineconfigs.machineconfiguration.openshift.io", "clusterversions.config.openshift.io"} <= names


def test_a_release_in_a_local_folder(served, tmp_path):
    """The payload is read from the folder; its images are still where their names say."""
    local = f"oci:{served.plain.built.folder}:release"
    folder = cluster_folder(tmp_path / "c", {**served.plain.settings, "release": local, "allowUnsigned": True})
    release = said(folder, "04")
    assert (release["version"], release["render"]) == (served.plain.built.version, "made")


def test_a_release_that_should_be_signed_and_is_not(served, tmp_path):
    (tmp_path / "store").mkdir()
    settings = {**served.plain.settings, "signatureKey": "key.asc", "signature": str(tmp_path / "store")}
    folder = cluster_folder(tmp_path / "c", settings)
    with openpgp.home() as keys:
        (folder / "key.asc").write_bytes(keys.public(keys.make("publisher")))
    done = hardway("-C", folder, "build", "04")
    assert done.returncode == 4
    assert re.search(r"signature absent: .* has no signature", done.stderr)
    assert not (folder / "assets").exists()
