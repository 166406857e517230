"""For each check of stage 04 a planted defect: exactly that check must find it."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.table import RELEASE
from hardway.emit.rendered_name import rendered_name
from hardway.model.check import run
from hardway.model.cluster import PROFILE
from hardway.workspace.folder import open_workspace
from tests.support.entropy import NOW

ETCD = "openshift-etcd-operator/etcd-operator"


@pytest.fixture
def world(built, copied):
    cluster = open_workspace(built).loaded.cluster
    return Artifacts(root=copied / "assets", cluster=cluster, now=NOW)


def rewrite(world, path, change):
    document = json.loads((world.root / path).read_text())
    change(document)
    (world.root / path).write_text(json.dumps(document))


def replace(world, pattern, old, new):
    [file] = world.root.glob(pattern)
    text = file.read_text()
    assert re.search(old, text)
    file.write_text(re.sub(old, new, text, count=1))


def plant_no_metadata(world):
    (world.root / "release/manifests/release-metadata").unlink()


def plant_other_image(world):
    rewrite(world, "release/release.json", lambda r: r["images"].update(etcd="quay.io/other@sha256:" + "0" * 64))


def plant_unknown_operator(world):
    rewrite(world, "release/release.json", lambda r: r["brought"].update(deployments=[ETCD]))


def plant_operator_not_recorded(world):
    namespace, _, name = ETCD.partition("/")
    about = f"metadata: {{name: {name}, namespace: {namespace}, annotations: {{{PROFILE}: 'true'}}}}"
    text = f"apiVersion: apps/v1\nkind: Deployment\n{about}\n"
    (world.root / "release/manifests/0000_20_etcd-operator_06_deployment.yaml").write_text(text)


def plant_tag(world):
    def by_tag(stream):
        row = next(t for t in stream["spec"]["tags"] if t["name"] == "etcd")
        row["from"]["name"] = "quay.io/openshift/etcd:latest"

    rewrite(world, "release/manifests/image-references", by_tag)
    rewrite(world, "release/release.json", lambda r: r["images"].update(etcd="quay.io/openshift/etcd:latest"))


def plant_other_version(world):
    rewrite(world, "release/manifests/release-metadata", lambda m: m.update(version="4.17.9"))


def plant_crd_twice(world):
    file = next(world.root.glob("crds/*featuregates*"))
    (world.root / "crds/9999_again.yaml").write_bytes(file.read_bytes())


def plant_no_crd(world):
    (world.root / "crds/9999_other.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")


def plant_unknown_kind(world):
    text = "apiVersion: example.com/v1\nkind: Stranger\nmetadata: {name: x}\n"
    (world.root / "manifests/stranger.yaml").write_text(text)


def plant_no_worker(world):
    next(world.root.glob("mco/machine-configs/rendered-worker-*")).unlink()


def plant_open_mode(world):
    next(world.root.glob("mco/machine-configs/rendered-master-*")).chmod(0o644)


def plant_other_release(world):
    replace(world, "mco/controller-config/*.yaml", r"releaseImage: \S+", "releaseImage: quay.io/x@sha256:" + "1" * 64)


def plant_other_authority(world):
    replace(world, "mco/controller-config/*.yaml", r"rootCAData: \S+", "rootCAData: YQ==")


def plant_other_pull_secret(world):
    """In a render that is otherwise in order."""
    replace(world, "mco/machine-configs/rendered-master-*", r"quay\.io", "quay.example.com")
    [file] = world.root.glob("mco/machine-configs/rendered-master-*")
    name = rendered_name("master", yaml.load(file.read_bytes(), yaml.CSafeLoader)["spec"])
    for path in (file, world.root / "mco/machine-pools/master.yaml"):
        path.write_text(path.read_text().replace(file.stem, name))
    file.rename(file.with_stem(name))


def plant_changed_render(world):
    replace(world, "mco/machine-configs/rendered-worker-*", r"kernelType: default", "kernelType: realtime")


def plant_changed_input(world):
    replace(world, "openshift/99_openshift-machineconfig_99-master-ssh.yaml", "ssh-", "ssh2-")


def plant_missing_input(world):
    (world.root / "manifests/cluster-proxy-01-config.yaml").unlink()


def plant_unrendered_input(world):
    about = "metadata: {name: late, labels: {machineconfiguration.openshift.io/role: worker}}"
    text = f"apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\n{about}\nspec: {{fips: true}}\n"
    (world.root / "openshift/99_late.yaml").write_text(text)


PLANTED = [
    ("release.present", plant_no_metadata),
    ("release.images", plant_other_image),
    ("release.operators", plant_unknown_operator),
    ("release.operators", plant_operator_not_recorded),
    ("release.pinned", plant_tag),
    ("release.version", plant_other_version),
    ("release.crds", plant_crd_twice),
    ("release.crds", plant_no_crd),
    ("release.kinds", plant_unknown_kind),
    ("render.present", plant_no_worker),
    ("render.modes", plant_open_mode),
    ("render.release", plant_other_release),
    ("render.cluster", plant_other_authority),
    ("render.name", plant_changed_render),
    ("render.inputs", plant_changed_input),
    ("render.inputs", plant_missing_input),
    ("render.inputs", plant_unrendered_input),
    ("render.pull-secret", plant_other_pull_secret),
]


def test_a_good_folder_has_no_flaw(world):
    assert run(RELEASE, world).findings == ()


@pytest.mark.parametrize(("check", "plant"), PLANTED, ids=lambda x: getattr(x, "__name__", x))
def test_the_check_finds_it_and_no_other_does(world, check, plant):
    plant(world)
    report = run(RELEASE, world)
    assert {finding.check for finding in report.findings} == {check}


def test_every_check_has_its_defect():
    assert {check for check, _ in PLANTED} == {check.name for check in RELEASE}


def test_without_a_release_every_check_of_it_is_skipped_with_the_reason(world):
    import shutil

    for name in ("release", "crds", "mco"):
        shutil.rmtree(world.root / name)
    report = run(RELEASE, world)
    assert (report.ran, report.findings) == ((), ())
    assert set(report.skipped) == {check.name for check in RELEASE}
    assert set(report.skipped.values()) == {"the release is not read; `hardway build 04` reads it"}


def test_what_is_not_there_to_look_at_is_skipped_and_not_passed(world):
    """The release was read, and MCO's render is gone: one check says so, and the others have nothing to look at."""
    import shutil

    shutil.rmtree(world.root / "mco")
    report = run(RELEASE, world)
    assert {f.check for f in report.findings} == {"render.present"}
    others = {"modes", "release", "cluster", "name", "inputs", "pull-secret"}
    assert set(report.skipped) == {f"render.{name}" for name in others}
    assert all("`hardway build 04` again" in reason for reason in report.skipped.values())
