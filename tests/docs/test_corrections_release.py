"""Corrections to what the notes say of the release image and of MCO's render, tried with MCO's own programs."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
import yaml

from hardway.labrelease.compile.all import compiled
from hardway.labrelease.components.table import component
from hardway.release import crds as selection
from hardway.release.reference import of_version
from tests.docs import notes
from tests.support import crds
from tests.support.trees import built, copy_of

FIRST, SECOND = "machine-config-operator", "machine-config-controller"
INFRASTRUCTURE = "manifests/cluster-infrastructure-02-config.yml"
GATES = "openshift/99_feature-gate.yaml"
VERSION = "4.18.0"
OUTSIDE_THE_CATALOGUE = ("baremetal-runtimecfg", "kube-rbac-proxy", "rhel-coreos", "rhel-coreos-extensions")


@cache
def programs() -> Path:
    return compiled(component("machine-config-operator"))


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([programs() / "bin" / program, "bootstrap", *words], capture_output=True, text=True)


class Render:
    """The two programs over a tree's files, in a folder."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.folder = folder
        self.input = folder / "input"
        self.input.mkdir()

    def references(self) -> Path:
        release = built().loaded.cluster.release
        images = {**release.images, **dict.fromkeys(OUTSIDE_THE_CATALOGUE, release.images["pod"])}
        tags = [{"name": n, "from": {"kind": "DockerImage", "name": spec}} for n, spec in images.items()]
        stream = {"kind": "ImageStream", "apiVersion": "image.openshift.io/v1", "spec": {"tags": tags}}
        (self.folder / "image-references").write_text(json.dumps(stream))
        return self.folder / "image-references"

    def first(self, **changes: Path) -> subprocess.CompletedProcess[str]:
        files = {
            "root-ca": self.root / "tls/root-ca.crt",
            "kube-ca": self.root / "tls/kube-apiserver-complete-client-ca-bundle.crt",
            "config-file": self.root / "manifests/cluster-config.yaml",
            "pull-secret": self.root / "manifests/openshift-config-secret-pull-secret.yaml",
            "infra-config-file": self.root / INFRASTRUCTURE,
            "network-config-file": self.root / "manifests/cluster-network-02-config.yml",
            "proxy-config-file": self.root / "manifests/cluster-proxy-01-config.yaml",
            "dns-config-file": self.root / "manifests/cluster-dns-02-config.yml",
            "image-references": self.references(),
            "dest-dir": self.folder / "first",
            **changes,
        }
        image = built().loaded.cluster.release.image
        flags = [f"--{name}={path}" for name, path in files.items()]
        return run(FIRST, *flags, f"--release-image={image}", f"--payload-version={VERSION}")

    def second(self) -> subprocess.CompletedProcess[str]:
        for path in (*(self.folder / "first/bootstrap/manifests").glob("*"), self.root / GATES):
            (self.input / path.name).write_bytes(path.read_bytes())
        secret = f"--pull-secret={self.input}/machineconfigcontroller-pull-secret"
        folders = (f"--manifest-dir={self.input}", f"--dest-dir={self.folder}/second")
        templates = f"--templates={programs()}/data/templates"
        return run(SECOND, *folders, secret, templates, f"--payload-version={VERSION}")

    def made(self, step: str) -> dict[str, object]:
        return {p.name: yaml.safe_load(p.read_text()) for p in (self.folder / step).rglob("*.yaml")}


@pytest.fixture
def render(tmp_path: Path) -> Render:
    (tmp_path / "tree").mkdir()
    return Render(copy_of("default", tmp_path / "tree").root, tmp_path)


def test_mcos_first_program_takes_a_flag_for_each_file():
    done = run(FIRST, "--asset-input-dir=/assets/tls", "--asset-output-dir=/assets/mco-bootstrap")
    assert "unknown flag: --asset-input-dir" in done.stderr
    done = run(FIRST, "--machine-config-file=x")
    assert "unknown flag: --machine-config-file" in done.stderr


def test_only_the_second_program_renders_machine_configs(render):
    """The first one writes what the second one starts from, and the folder needs no list of images."""
    assert render.first().returncode == 0
    kinds = {document["kind"] for document in render.made("first").values()}
    assert {"ControllerConfig", "MachineConfigPool"} < kinds
    assert "MachineConfig" not in kinds
    assert render.second().returncode == 0
    assert not (render.input / "image-references").exists()
    rendered = [name for name in render.made("second") if name.startswith("rendered-")]
    assert sorted(name.split("-")[1] for name in rendered) == ["master", "worker"]


def test_the_list_of_images_is_the_first_programs(render):
    done = render.first(**{"image-references": render.folder / "none"})
    assert done.returncode != 0
    assert "none: no such file or directory" in done.stderr


def test_a_rendered_config_has_no_field_called_raw(render):
    assert render.first().returncode == 0
    assert render.second().returncode == 0
    [master] = [d for name, d in render.made("second").items() if name.startswith("rendered-master-")]
    assert master["spec"]["config"]["ignition"] == {"version": "3.4.0"}
    assert "raw" not in master["spec"]["config"]


def test_nothing_is_rendered_from_the_notes_infrastructure(render):
    path = render.root / INFRASTRUCTURE
    path.write_text(path.read_text().replace("apiServerInternalURI", "apiServerInternalURL"))
    assert render.first().returncode == 0
    done = render.second()
    assert done.returncode != 0
    assert "error calling urlPort: unknown scheme" in done.stderr


def test_nothing_is_rendered_from_the_notes_feature_gate(render):
    gate = yaml.safe_load((render.root / GATES).read_text())
    gate.pop("status")
    (render.root / GATES).write_text(yaml.safe_dump(gate))
    assert render.first().returncode == 0
    done = render.second()
    assert done.returncode != 0
    assert f'missing desired version "{VERSION}" in featuregates.config.openshift.io/cluster' in done.stderr


def test_a_release_is_not_named_by_a_bare_version(tmp_path: Path):
    """A tag has the architecture in it, and a pod needs the digest besides."""
    assert str(of_version(VERSION)) == f"quay.io/openshift-release-dev/ocp-release:{VERSION}-x86_64"
    world = copy_of("default", tmp_path)
    image = world.cluster.release.image
    tagged = f"{image.partition('@')[0]}:{VERSION}"
    notes.replace_flag(world, "bootstrap-manifests/bootstrap-pod.yaml", image, tagged)
    assert {"pod.images"} <= set(notes.found_by(world))


def test_three_annotations_select_22_of_the_files():
    folder = crds.module() / "payload-manifests" / "crds"
    files = {path.name: path.read_bytes() for path in folder.glob("*.yaml")}
    chosen = selection.select(files)
    assert len(files) > 90
    assert len(chosen) == 22
    names = [yaml.load(content, crds.LOADER)["metadata"]["name"] for content in chosen.values()]
    assert not set(selection.VERSION_OPERATOR) & set(names)
