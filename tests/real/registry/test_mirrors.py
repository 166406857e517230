"""Mirrors: tried in order, named when they fail, the source last."""

from __future__ import annotations

import pytest

from hardway.model.cluster import ImageSource
from hardway.registry.errors import NotFound, Unreachable, WrongDigest
from hardway.registry.mirrors import places
from hardway.release.reference import Reference
from tests.support.registry import images
from tests.support.registry.server import Reader, serving

DIGEST = f"sha256:{'a' * 64}"
SOURCE = "quay.io/openshift-release-dev"
GONE = "127.0.0.1:1"


@pytest.fixture(scope="module")
def mirror(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mirror")
    with serving(folder / "server", folder / "storage") as server:
        yield server


def mirrored(source, *mirrors):
    return (ImageSource(source=source, mirrors=mirrors),)


def reader_of(tmp_path, *servers):
    return Reader(tmp_path / "cache", plain_http=frozenset({GONE, *(s.host for s in servers)}))


def test_a_digest_comes_from_the_mirror_and_keeps_the_sources_name(mirror, tmp_path):
    made = images.release()
    mirror.push("copy/ocp-release", "a", made)
    rows = mirrored(SOURCE, f"{mirror.host}/copy")
    payload = reader_of(tmp_path, mirror).read(f"{SOURCE}/ocp-release@{made.digest}", mirrors=rows)
    assert payload.image == f"{SOURCE}/ocp-release@{made.digest}"


def test_a_mirror_that_fails_is_named_and_the_next_is_tried(registry, mirror, tmp_path):
    made = images.release()
    registry.push("origin/release", "a", made)
    mirror.push("empty/other", "a", made)
    rows = mirrored(f"{registry.host}/origin", f"{GONE}/x", f"{mirror.host}/empty")
    reader = reader_of(tmp_path, registry, mirror)
    payload = reader.read(f"{registry.host}/origin/release@{made.digest}", mirrors=rows)
    assert payload.digest == made.digest
    assert any(GONE in note and "cannot be reached" in note for note in reader.notes)
    assert any(f"{mirror.host}/empty/release" in note and "404" in note for note in reader.notes)


def test_a_mirror_with_a_damaged_blob_is_passed_over(registry, mirror, tmp_path):
    made = images.release(7)
    registry.push("sound/release", "a", made)
    mirror.push("rotten/release", "a", made)
    file = mirror.blob_file(made.layers[-1])
    file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:])
    rows = mirrored(f"{registry.host}/sound", f"{mirror.host}/rotten")
    reader = reader_of(tmp_path, registry, mirror)
    assert len(reader.read(f"{registry.host}/sound/release@{made.digest}", mirrors=rows).files) == 9
    assert any("has another digest" in note and mirror.host in note for note in reader.notes)
    with pytest.raises(WrongDigest, match=mirror.host):
        Reader(tmp_path / "other", **reader.access).read(f"{mirror.host}/rotten/release@{made.digest}")


def test_a_tag_is_resolved_at_the_source_and_its_content_comes_from_the_mirror(registry, mirror, tmp_path):
    made = images.release(8)
    reference = registry.push("origin/tagged", "a", made)
    mirror.push("tagged", "b", made)
    rows = mirrored(f"{registry.host}/origin/tagged", f"{mirror.host}/tagged")
    assert reader_of(tmp_path, registry, mirror).read(reference, mirrors=rows).digest == made.digest
    assert mirror.bytes_served("tagged", 1) > 0
    assert not any("/blobs/" in path for path, _ in registry.served("origin/tagged"))


def test_a_tag_without_its_source_asks_for_the_digest(mirror, tmp_path):
    rows = mirrored(f"{GONE}/origin", f"{mirror.host}/copy")
    with pytest.raises(Unreachable, match="mirrors serve digests only: name the release by its digest"):
        reader_of(tmp_path, mirror).read(f"{GONE}/origin/release:a", mirrors=rows)


def test_a_mirror_that_answers_wrongly_is_told_of_rather_than_a_source_out_of_reach(mirror, tmp_path):
    rows = mirrored(f"{GONE}/origin", f"{mirror.host}/nothing")
    with pytest.raises(NotFound, match=rf"{mirror.host}/nothing/release.*404.*\n    before: {GONE}: cannot be reached"):
        reader_of(tmp_path, mirror).read(f"{GONE}/origin/release@{DIGEST}", mirrors=rows)


def test_all_out_of_reach_is_unreachable_and_names_every_place(tmp_path):
    rows = mirrored(f"{GONE}/origin", "127.0.0.1:2/x")
    reader = Reader(tmp_path / "cache", plain_http=frozenset({GONE, "127.0.0.1:2"}))
    with pytest.raises(Unreachable, match=rf"{GONE}: .*\n    before: 127\.0\.0\.1:2: "):
        reader.read(f"{GONE}/origin/release@{DIGEST}", mirrors=rows)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (SOURCE, ["m.example.com/copy/ocp-release", f"{SOURCE}/ocp-release"]),
        (f"{SOURCE}/ocp-release", ["m.example.com/copy", f"{SOURCE}/ocp-release"]),
        ("quay.io", ["m.example.com/copy/openshift-release-dev/ocp-release", f"{SOURCE}/ocp-release"]),
        ("quay.io/openshift-release", [f"{SOURCE}/ocp-release"]),
    ],
)
def test_what_is_below_a_source_is_below_its_mirror(source, expected):
    reference = Reference.parse(f"{SOURCE}/ocp-release@{DIGEST}")
    assert [p.name for p in places(reference, mirrored(source, "m.example.com/copy"))] == expected


def test_the_most_specific_source_counts_and_a_tag_has_no_mirror():
    rows = (*mirrored("quay.io", "a.example.com"), *mirrored(SOURCE, "b.example.com/x", "b.example.com/x", SOURCE))
    names = [p.name for p in places(Reference.parse(f"{SOURCE}/r@{DIGEST}"), rows)]
    assert names == ["b.example.com/x/r", f"{SOURCE}/r"]
    assert [str(p) for p in places(Reference.parse(f"{SOURCE}/r:tag"), rows)] == [f"{SOURCE}/r:tag"]
