"""A release with components from checkouts: what differs from the pinned one, and how it is made again."""

from __future__ import annotations

import json
import tarfile

import pytest

from hardway.labrelease import places, release
from hardway.labrelease.checkouts import described
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.model.errors import ConfigError, ToolError
from tests.support.lab import checkout
from tests.support.lab import programs as lab_programs
from tests.unit.labrelease.images.test_images import files as files_of
from tests.unit.labrelease.payload.test_payload import read

CA, SCHEDULER = BY_NAME["service-ca-operator"], BY_NAME["cluster-kube-scheduler-operator"]
LABELS = {
    "io.openshift.build.commit.id": "0123",
    "hardway.lab/describe": "v4.18.0-1-g0123-dirty",
    "hardway.lab/dirty": "true",
}


def config(built, name):
    blobs = built.folder / "blobs/sha256"
    manifest = json.loads((blobs / built.images[name].removeprefix("sha256:")).read_bytes())
    return json.loads((blobs / manifest["config"]["digest"].removeprefix("sha256:")).read_bytes())["config"]


def tags(built):
    return {tag["name"]: tag for tag in json.loads(read(built)["image-references"])["spec"]["tags"]}


def test_one_image_differs_and_the_pinned_release_stays_as_it_was(tmp_path):
    pinned = lab_programs.build(tmp_path, "operators")
    before = sorted(path.stat().st_mtime_ns for path in pinned.folder.rglob("*"))
    mine = lab_programs.build(tmp_path, "operators", made=[lab_programs.made(tmp_path, CA)])
    assert {name for name in mine.images if mine.images[name] != pinned.images[name]} == {"service-ca-operator"}
    assert mine.digest != pinned.digest
    assert lab_programs.build(tmp_path, "operators") == pinned
    assert sorted(path.stat().st_mtime_ns for path in pinned.folder.rglob("*")) == before


def test_the_image_has_the_program_and_says_where_it_comes_from(tmp_path):
    built = lab_programs.build(tmp_path, "operators", made=[lab_programs.made(tmp_path, CA)])
    assert files_of(built, "service-ca-operator")["usr/bin/service-ca-operator"].size == len(
        "service-ca-operator changed"
    )
    assert config(built, "service-ca-operator")["Labels"] == {"io.openshift.release.operator": "true", **LABELS}
    assert config(built, "cluster-etcd-operator")["Labels"] == {"io.openshift.release.operator": "true"}
    assert tags(built)["service-ca-operator"]["annotations"] == LABELS
    assert "0000_60_service-ca-operator.yaml" in read(built)


def layers(built):
    """Of all its images."""
    blobs = built.folder / "blobs/sha256"
    found = (json.loads((blobs / digest.removeprefix("sha256:")).read_bytes()) for digest in built.images.values())
    return {layer["digest"].removeprefix("sha256:") for manifest in found for layer in manifest["layers"]}


def test_another_program_is_another_layer_and_every_other_layer_stays(tmp_path):
    first, second = (
        lab_programs.build(tmp_path, "operators", made=[lab_programs.made(tmp_path, CA, word)])
        for word in ("one", "two")
    )
    [new] = layers(second) - layers(first)
    with tarfile.open(second.folder / "blobs/sha256" / new) as archive:
        assert [name for name in archive.getnames() if name != "usr" and name != "usr/bin"] == [
            "usr/bin/service-ca-operator"
        ]


def test_an_added_operator_takes_the_place_of_its_stand_in_and_of_the_labs_own_report(tmp_path):
    pinned = lab_programs.build(tmp_path, "operators")
    mine = lab_programs.build(tmp_path, "operators", made=[lab_programs.made(tmp_path, SCHEDULER)])
    assert pinned.images[SCHEDULER.name] == pinned.images["pod"]
    assert mine.images[SCHEDULER.name] != mine.images["pod"]
    assert SCHEDULER.name not in {row.subject for row in mine.deviations}
    reported = "0000_90_hardway-lab_10_clusteroperator-kube-scheduler.yaml"
    assert reported in read(pinned)
    assert reported not in read(mine)
    assert "0000_60_cluster-kube-scheduler-operator.yaml" in read(mine)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    places.programs().mkdir(parents=True)
    return places.cache()


def test_a_kept_release_says_what_it_was_made_from(tmp_path, cache):
    small = described.parsed(checkout.DESCRIPTION)
    made = tuple(lab_programs.made(places.programs(), kit) for kit in (CA, small))
    built = lab_programs.build(tmp_path, "operators", made=made)
    (tmp_path / "cache/releases").rename(cache / "releases")
    assert release.recorded(built.folder.name) == ("operators", made)
    assert release.names() == [built.folder.name]
    release.clean()
    assert [path.name for path in places.programs().iterdir()] == []


def test_a_release_that_cannot_be_made_again_is_refused(tmp_path, cache):
    built = lab_programs.build(tmp_path, "operators", made=[lab_programs.made(places.programs(), CA)])
    (tmp_path / "cache/releases").rename(cache / "releases")
    with pytest.raises(ConfigError, match="--release none: no release of this name is kept"):
        release.recorded("none")
    (places.programs() / "service-ca-operator-checkout-changed").rename(tmp_path / "gone")
    with pytest.raises(ToolError, match="service-ca-operator was compiled from a checkout") as caught:
        release.recorded(built.folder.name)
    assert "fix: build the release again with --source service-ca-operator=DIR" in str(caught.value)
