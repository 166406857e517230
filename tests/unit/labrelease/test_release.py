"""Building a release: the same digests with and without a cache, and only what depends on the registry changes."""

from __future__ import annotations

import shutil

from hardway.labrelease import release
from hardway.labrelease.images import table
from tests.support.lab import programs as lab_programs


def test_two_builds_give_the_same_digests_with_and_without_a_cache(tmp_path):
    first = lab_programs.build(tmp_path)
    again = lab_programs.build(tmp_path)
    shutil.rmtree(tmp_path / "cache")
    fresh = lab_programs.build(tmp_path)
    elsewhere = lab_programs.build(tmp_path / "elsewhere")
    assert first == again == fresh
    assert (first.digest, first.images) == (elsewhere.digest, elsewhere.images)


def test_another_registry_changes_the_release_image_alone(tmp_path):
    here = lab_programs.build(tmp_path, registry="127.0.0.1:5000/hardway")
    there = lab_programs.build(tmp_path, registry="registry.example.com/lab/release")
    assert here.digest != there.digest
    assert here.images == there.images
    assert there.pull_spec == f"registry.example.com/lab/release@{there.digest}"
    assert here.folder != there.folder


def test_sets_differ_in_what_the_real_operators_bring(tmp_path):
    core, operators = (lab_programs.build(tmp_path, chosen) for chosen in table.SETS)
    assert core.images["cluster-etcd-operator"] == core.images["pod"]
    assert operators.images["cluster-etcd-operator"] != operators.images["pod"]
    assert core.images["hyperkube"] == operators.images["hyperkube"]


def test_core_does_not_ask_for_the_operators_programs():
    assert "cluster-etcd-operator" not in table.components("core")
    assert "cluster-etcd-operator" in table.components("operators")


def test_what_is_kept_is_listed_and_can_be_removed(tmp_path):
    built = lab_programs.build(tmp_path)
    found = {row.kind: row for row in release.kept(tmp_path / "cache")}
    assert found["release"].name == built.folder.name
    assert 0 < found["release"].bytes < found["blobs"].bytes  # the blobs are counted once
    (tmp_path / "cache" / "programs" / "etcd-0123").mkdir(parents=True)
    (tmp_path / "cache" / "unpacked" / "core").mkdir(parents=True)
    assert [row.name for row in release.kept(tmp_path / "cache") if row.kind == "unpacked"] == ["core"]
    release.clean(tmp_path / "cache")
    left = release.kept(tmp_path / "cache")
    assert [(row.kind, row.bytes) for row in left] == [("program", 0), ("blobs", 0)]
