"""Every deviation of the images is one that the packed images really have."""

from __future__ import annotations

import json
import tarfile

import pytest

from hardway.labrelease import deviations
from hardway.labrelease.images import base
from hardway.labrelease.images import files as images_files
from hardway.labrelease.payload import sources
from tests.support.lab import programs as lab_programs
from tests.unit.labrelease.images.test_images import files, manifest


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return lab_programs.build(tmp_path_factory.mktemp("images"), "operators")


def content(built, image, name):
    for layer in manifest(built, image)["layers"]:
        with tarfile.open(built.folder / "blobs/sha256" / layer["digest"].removeprefix("sha256:")) as archive:
            if name in archive.getnames():
                return archive.extractfile(name).read()
    raise AssertionError(name)


def settings(built, image):
    digest = manifest(built, image)["config"]["digest"].removeprefix("sha256:")
    return json.loads((built.folder / "blobs/sha256" / digest).read_bytes())["config"]


def said(subject):
    [row] = [row for row in deviations.RELEASE if row.subject == subject]
    return row.kind


def test_etcd_has_the_programs_that_upstream_lacks_and_upstreams_own(built):
    found = files(built, "etcd")
    assert found["usr/bin/discover-etcd-initial-cluster"].mode == 0o755
    assert content(built, "etcd", "usr/local/bin/etcd") == images_files.ETCD
    assert b"grpc-proxy" in images_files.ETCD
    assert content(built, "etcd", "usr/bin/etcd") == b"etcd etcd"
    assert {f"{images_files.PYTHON}/labrelease/member/{name}.py" for name in ("discover", "metrics")} <= set(found)
    assert said("etcd, discover-etcd-initial-cluster") == said("etcd, grpc-proxy") == "image"


def test_hyperkube_is_a_script_that_runs_its_first_word(built):
    assert content(built, "hyperkube", "usr/bin/hyperkube").startswith(b"#!/bin/bash")
    assert said("hyperkube, hyperkube") == "image"


def test_sh_is_bash():
    assert any(hook.endswith('ln -sf bash "$1/usr/bin/sh"') for hook in base.OPTIONS)
    assert said("every image, /bin/sh") == "image"


def test_no_image_names_a_user(built):
    assert [name for name in built.images if settings(built, name).get("User")] == []


def test_the_type_of_machines_comes_without_its_operator():
    [source] = [row for row in sources.TABLE if "machines" in row.pattern]
    assert (source.image, source.sets) == ("cluster-config-api", ("operators",))
    assert said(source.pattern) == "manifest"
