"""A release from a real registry: by tag and digest, of either kind, and no more of it than needed."""

from __future__ import annotations

import gzip
import json
import random
import tracemalloc

import pytest

from hardway.registry.access import Access
from hardway.registry.errors import NoArchitecture
from hardway.registry.image import open_image
from tests.support.registry import images


def names(files):
    return {name.removeprefix("release-manifests/") for name in files}


@pytest.mark.parametrize("docker", [False, True], ids=["oci", "docker"])
def test_a_tag_becomes_a_digest_and_every_file_arrives(registry, reader, docker):
    made = images.release(docker=docker)
    reference = registry.push(f"kind/{docker}".lower(), "4.18.0", made)
    payload = reader.read(reference)
    assert payload.image == f"{registry.host}/kind/{str(docker).lower()}@{made.digest}"
    assert {f"release-manifests/{n}": c for n, c in payload.files.items()} == images.payload_files()
    assert (payload.version, payload.platform) == ("4.18.0", "amd64")


@pytest.mark.parametrize("docker", [False, True], ids=["oci", "docker"])
def test_a_list_gives_the_image_for_the_architecture_and_keeps_its_own_digest(registry, reader, docker):
    arm = images.image(images.layer(images.payload_files(5)), docker=docker, architecture="arm64")
    made = images.listing({"amd64": images.release(docker=docker), "arm64": arm}, docker=docker)
    reference = registry.push(f"list/{docker}".lower(), "multi", made)
    for architecture, count in (("amd64", 5), ("arm64", 7)):
        payload = reader.read(reference, architecture=architecture)
        assert (len(payload.files), payload.platform) == (count, architecture)
        assert payload.digest == made.digest
    with pytest.raises(NoArchitecture, match=r"has no image for s390x, only for amd64, arm64\n    fix: "):
        reader.read(reference, architecture="s390x")


def test_a_digest_is_read_without_asking_once_it_is_cached(registry, reader):
    made = images.release()
    registry.push("twice", "a", made)
    reference = f"{registry.host}/twice@{made.digest}"
    first = reader.read(reference)
    assert registry.bytes_served("twice", 1) > 0
    before = registry.served("twice")
    assert reader.read(reference) == first
    assert registry.served("twice") == before


def plain_copy(reader, made):
    """Where the payload's layer is kept without its compression."""
    blobs = {digest: gzip.decompress(made.blobs[digest]) for digest in made.layers}
    return reader.cache.path(images.digest(blobs[made.layers[-1]]))


def test_a_payload_is_kept_without_its_compression_and_read_from_there(registry, reader):
    made = images.release()
    reference = registry.push("plain", "a", made)
    first = reader.read(reference)
    plain = plain_copy(reader, made)
    reader.cache.path(made.layers[-1]).unlink()
    assert plain.exists()
    assert reader.read(reference) == first
    assert not reader.cache.path(made.layers[-1]).exists(), "the packed layer was not fetched again"


def test_a_damaged_plain_copy_is_made_anew_from_the_layer(registry, reader):
    made = images.release()
    reference = registry.push("plain/damaged", "a", made)
    first = reader.read(reference)
    plain = plain_copy(reader, made)
    whole = plain.read_bytes()
    plain.write_bytes(whole.replace(b"apiVersion", b"apiversion"))
    assert reader.read(reference) == first
    assert plain.read_bytes() == whole


def test_a_configuration_that_names_other_layers_changes_nothing(registry, reader):
    """What it calls the plain layer is not what the layer holds: nothing is kept under that name."""
    made = images.release()
    false = "sha256:" + "0" * 64
    lie = images.image(*(made.blobs[layer] for layer in made.layers), plain=[false for _ in made.layers])
    said = reader.read(registry.push("plain/lie", "a", lie))
    assert said.files == reader.read(registry.push("plain/truth", "a", made)).files
    assert not reader.cache.path(false).exists()


def test_a_tag_that_moved_is_followed(registry, reader):
    reference = registry.push("moving", "latest", images.release(3))
    assert len(reader.read(f"{registry.host}/moving").files) == 5
    registry.push("moving", "latest", images.release(4))
    assert len(reader.read(reference).files) == 6


def test_900_manifests(registry, reader):
    payload = reader.read(registry.push("many", "a", images.release(900)))
    assert len(payload.files) == 902
    assert (
        payload.files["0000_50_made_899.yaml"] == images.payload_files(900)["release-manifests/0000_50_made_899.yaml"]
    )


def test_of_twenty_layers_only_the_one_with_the_payload_is_fetched(registry, reader):
    noise = [images.layer({f"usr/share/{n}": json.dumps(list(range(n, n + 50000))).encode()}) for n in range(19)]
    top = images.layer(
        images.payload_files(900) | {"release-manifests/0000_a_picture": random.Random(7).randbytes(200_000)}
    )
    made = images.image(*noise, top)
    with open_image(registry.push("twenty", "a", made), Access(**reader.access), reader.cache) as image:
        found = image.extract("release-manifests", enough=("image-references", "release-metadata"))
        assert len(found) == 903
        assert image.config()["os"] == "linux"
        received = image.received
    assert registry.bytes_served("twenty", received) == received
    assert len(top) <= received <= 1.1 * len(top)
    assert any(made.layers[-1] in path for path, _ in registry.served("twenty"))
    assert not any(digest in path for path, _ in registry.served("twenty") for digest in made.layers[:-1])


def test_a_payload_over_two_layers_is_put_together_and_nothing_beneath_is_fetched(registry, reader):
    files = images.payload_files(4)
    first = dict(list(files.items())[:2])
    made = images.image(
        images.layer({"etc/base": b"x" * 999}), images.layer(first), images.layer(dict(list(files.items())[2:]))
    )
    payload = reader.read(registry.push("split", "a", made))
    assert set(payload.files) == names(files)
    assert not any(made.layers[0] in path for path, _ in registry.served("split"))


def test_a_large_layer_is_never_in_memory(registry, reader):
    noise = random.Random(3).randbytes(24_000_000)
    reference = registry.push("large", "a", images.image(images.layer(images.payload_files() | {"usr/noise": noise})))
    tracemalloc.start()
    try:
        assert len(reader.read(reference).files) == 5
        assert tracemalloc.get_traced_memory()[1] < len(noise) // 2
    finally:
        tracemalloc.stop()


def test_an_uncompressed_layer(registry, reader):
    made = images.image(images.tar(images.payload_files()))
    assert len(reader.read(registry.push("plain", "a", made)).files) == 5


def test_folders_within_the_payload_are_no_part_of_it(registry, reader):
    made = images.image(images.layer(images.payload_files() | {"release-manifests/more/x.yaml": b"{}"}))
    assert set(reader.read(registry.push("folders", "a", made)).files) == names(images.payload_files())


def test_progress_tells_of_each_layer_up_to_its_end(registry, reader):
    made = images.release(300)
    reader.read(registry.push("progress", "a", made))
    top = made.layers[-1].removeprefix("sha256:")[:12]
    told = [(done, total) for what, done, total in reader.told if what == f"layer {top}"]
    size = len(made.blobs[made.layers[-1]])
    assert told[-1] == (size, size)
    assert told == sorted(told)
