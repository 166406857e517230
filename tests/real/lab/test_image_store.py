"""Images unpacked by the real skopeo: once in the cache, and by links in each lab's store."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hardway.lab import image_store
from hardway.lab.paths import lab_paths
from tests.support.lab import programs as lab_programs


@pytest.fixture
def built(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    return lab_programs.build(tmp_path)


def sources(built, *names):
    return {built.images[name]: f"oci:{built.folder}:{name}" for name in names}


def names(store):
    """All that the images in a store are called."""
    found = json.loads((store / "overlay-images" / "images.json").read_text())
    return {name for image in found for name in image["names"]}


def files(store):
    return {path.stat().st_ino for path in (store / "overlay").glob("*/diff/**/*") if path.is_file()}


def shared(tmp_path):
    return tmp_path / "user" / "hardway" / "lab" / "unpacked" / "core"


def test_two_labs_have_links_to_the_same_files_and_names_of_their_own(tmp_path, built):
    stores = []
    for name in ("one", "two"):
        place = lab_paths(name, tmp_path / name)
        image_store.begin(place, "core", sources(built, "etcd", "pod"))
        image_store.fill(place, {f"{name}.example.com/x@{built.images['etcd']}": f"oci:{built.folder}:etcd"})
        stores.append(image_store.folder(place))
    assert files(stores[0])
    assert files(stores[0]) == files(stores[1]) == files(shared(tmp_path))
    assert f"one.example.com/x@{built.images['etcd']}" in names(stores[0])
    assert not any(name.startswith("one.") for name in names(stores[1]) | names(shared(tmp_path)))


def test_a_store_that_is_there_stays(tmp_path, built):
    place = lab_paths("one", tmp_path / "one")
    image_store.prepare(place)
    image_store.begin(place, "core", sources(built, "etcd"))
    assert files(image_store.folder(place)) == set()
    assert not shared(tmp_path).exists()


def test_another_image_is_unpacked_and_labs_keep_what_they_have(tmp_path, built):
    first, second = lab_paths("one", tmp_path / "one"), lab_paths("two", tmp_path / "two")
    image_store.begin(first, "core", sources(built, "etcd"))
    before = files(image_store.folder(first))
    image_store.begin(second, "core", sources(built, "pod", "kube-proxy"))
    assert {name.partition("@")[2] for name in names(image_store.folder(second))} == {
        built.images["pod"],
        built.images["kube-proxy"],
    }
    assert files(image_store.folder(first)) == before


def test_what_a_killed_start_left_in_the_cache_is_made_again(tmp_path, built):
    place = lab_paths("one", tmp_path / "one")
    image_store.begin(place, "core", sources(built, "etcd"))
    whole = files(image_store.folder(place))
    shared(tmp_path).with_name("core.json").unlink()
    subprocess.run(["rm", "-rf", str(shared(tmp_path) / "overlay")], check=True)
    again = lab_paths("two", tmp_path / "two")
    image_store.begin(again, "core", sources(built, "etcd"))
    assert len(files(image_store.folder(again))) == len(whole)


def test_on_another_file_system_each_lab_unpacks_for_itself(tmp_path, built):
    with TemporaryDirectory(dir="/dev/shm") as elsewhere:
        place = lab_paths("one", Path(elsewhere) / "one")
        image_store.begin(place, "core", sources(built, "etcd"))
        assert not image_store.folder(place).exists()
        image_store.fill(place, {f"x.example.com/x@{built.images['etcd']}": f"oci:{built.folder}:etcd"})
        assert files(image_store.folder(place))
        assert names(image_store.folder(place)) == {f"x.example.com/x@{built.images['etcd']}"}
