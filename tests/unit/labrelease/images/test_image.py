"""Layers and images come out the same every time, and programs of the field can read them."""

from __future__ import annotations

import os
import tarfile

import pytest

from hardway.labrelease.images import layers, layout
from hardway.labrelease.images import oci as image
from hardway.labrelease.images.layers import Entry
from hardway.labrelease.images.layout import Blobs

FILES = (
    Entry(path="usr/bin/tool", source=b"#!/bin/sh\n", mode=0o755),
    Entry(path="etc/tool/config", source=b"x=1\n"),
    Entry(path="usr/bin/alias", link="tool"),
)


def members(blobs, blob):
    with tarfile.open(blobs.path(blob.digest)) as archive:
        return archive.getmembers()


def test_a_layer_does_not_depend_on_order_place_or_date(tmp_path):
    one, two = Blobs(tmp_path / "one"), Blobs(tmp_path / "two")
    source, again = tmp_path / "a", tmp_path / "b"
    for path, when in ((source, 1), (again, 2_000_000_000)):
        path.write_bytes(b"same")
        os.utime(path, (when, when))
    first = layers.pack([*FILES, Entry(path="data", source=source)], one)
    second = layers.pack([Entry(path="data", source=again), *reversed(FILES)], two)
    assert first == second


def test_a_layer_belongs_to_root_is_sorted_and_has_each_path_once(tmp_path):
    blobs = Blobs(tmp_path)
    found = members(blobs, layers.pack(FILES, blobs))
    names = [member.name for member in found]
    assert names == ["etc", "etc/tool", "etc/tool/config", "usr", "usr/bin", "usr/bin/alias", "usr/bin/tool"]
    assert {(m.uid, m.gid, m.uname, m.gname, m.mtime) for m in found} == {(0, 0, "", "", layers.DATE)}
    assert {m.name: oct(m.mode) for m in found if m.isreg()} == {"etc/tool/config": "0o644", "usr/bin/tool": "0o755"}


def test_one_path_twice_in_a_layer_is_refused(tmp_path):
    with pytest.raises(ValueError, match="usr/bin/tool is twice"):
        layers.pack([*FILES, Entry(path="usr/bin/tool", source=b"another")], Blobs(tmp_path))


def test_a_changed_file_gives_another_layer_and_an_unchanged_one_is_not_read_again(tmp_path):
    blobs, source = Blobs(tmp_path / "blobs"), tmp_path / "program"
    source.write_bytes(b"old")
    first = layers.pack([layers.program("p", source)], blobs)
    source.chmod(0)  # nobody needs to read it: what counts is the packed one
    assert layers.pack([layers.program("p", source)], blobs) == first
    source.chmod(0o600)
    source.write_bytes(b"newer")
    assert layers.pack([layers.program("p", source)], blobs) != first


def test_a_layer_whose_blob_was_removed_is_packed_again(tmp_path):
    blobs = Blobs(tmp_path)
    first = layers.pack(FILES, blobs)
    blobs.path(first.digest).unlink()
    assert layers.pack(FILES, blobs) == first
    assert blobs.path(first.digest).stat().st_size == first.size


def test_a_packing_that_fails_leaves_nothing_behind(tmp_path):
    blobs = Blobs(tmp_path)
    with pytest.raises(FileNotFoundError):
        layers.write(blobs, lambda archive: archive.add(tmp_path / "missing"))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_layout_takes_no_space_beside_the_blobs(tmp_path):
    blobs = Blobs(tmp_path / "blobs")
    layer = layers.pack(FILES, blobs)
    made = image.make(image.Recipe(layers=[layer]), blobs)
    folder = layout.write(tmp_path / "layout", blobs, {"one": made, "two": made})
    linked = folder / "blobs" / "sha256" / layer.digest.removeprefix("sha256:")
    assert linked.samefile(blobs.path(layer.digest))
