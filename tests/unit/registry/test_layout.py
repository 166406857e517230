"""A release in an OCI folder or an archive of one, without any network."""

from __future__ import annotations

import json
import tarfile

import pytest

from hardway.registry import errors
from tests.support.registry import images
from tests.support.registry.server import Reader


@pytest.fixture
def reader(tmp_path):
    return Reader(tmp_path / "cache")


@pytest.fixture
def made():
    return images.release()


@pytest.fixture
def named(request, tmp_path, made):
    """The same release both ways."""
    folder = images.write_layout(tmp_path / "layout", {"a": made, "b": images.release(7)})
    if request.param == "oci":
        return f"oci:{folder}"
    return f"oci-archive:{images.archived(folder, tmp_path / 'layout.tar')}"


BOTH = pytest.mark.parametrize("named", ["oci", "oci-archive"], indirect=True)


@BOTH
def test_by_tag_and_by_digest(reader, made, named):
    payload = reader.read(f"{named}:b")
    assert len(payload.files) == 9
    assert payload.image == f"{named}@{images.release(7).digest}"
    assert reader.read(payload.image) == payload
    assert reader.read(f"{named}:a").digest == made.digest
    assert not reader.cache.folder.exists(), "what is here is not copied"


@BOTH
def test_several_images_want_a_tag(reader, named):
    with pytest.raises(errors.NotFound, match=r"2 images, and none is named\n    fix: append one of its tags: a, b"):
        reader.read(named)
    with pytest.raises(errors.NotFound, match=r"no image 'c'\n    fix: .* a, b"):
        reader.read(f"{named}:c")


def test_the_only_image_needs_no_tag(reader, made, tmp_path):
    assert reader.read(f"oci:{images.write_layout(tmp_path / 'l', {'': made})}").digest == made.digest


def test_a_list_of_architectures_in_a_folder(reader, made, tmp_path):
    both = images.listing({"arm64": images.release(9, architecture="arm64"), "amd64": made})
    folder = images.write_layout(tmp_path / "l", {"multi": both})
    payload = reader.read(f"oci:{folder}:multi", architecture="arm64")
    assert (len(payload.files), payload.digest) == (11, both.digest)
    with pytest.raises(errors.NoArchitecture):
        reader.read(f"oci:{folder}:multi", architecture="ppc64le")


def blob(folder, digest):
    return folder / "blobs" / "sha256" / digest.removeprefix("sha256:")


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (lambda content: content[:-5], errors.Truncated),
        (lambda content: bytes(len(content)), errors.WrongDigest),
        (lambda content: content + b"more", errors.WrongDigest),
    ],
)
@pytest.mark.parametrize("kind", ["oci", "oci-archive"])
def test_a_damaged_blob(reader, made, tmp_path, kind, damage, error):
    folder = images.write_layout(tmp_path / "l", {"a": made})
    file = blob(folder, made.layers[-1])
    file.write_bytes(damage(file.read_bytes()))
    path = folder if kind == "oci" else images.archived(folder, tmp_path / "l.tar")
    with pytest.raises(error, match=rf"{kind}:{path}.*{made.layers[-1]}.*\n    fix: "):
        reader.read(f"{kind}:{path}")


def test_a_damaged_manifest(reader, made, tmp_path):
    folder = images.write_layout(tmp_path / "l", {"a": made})
    blob(folder, made.digest).write_bytes(images.release(9).manifest)
    with pytest.raises(errors.WrongDigest, match=made.digest):
        reader.read(f"oci:{folder}")


def test_what_is_not_there(reader, made, tmp_path):
    with pytest.raises(errors.NoSuchFile, match=r"index\.json cannot be read \(No such file or directory\)") as wrong:
        reader.read(f"oci:{tmp_path}/nothing")
    assert wrong.value.exit_code == 2
    with pytest.raises(errors.NoSuchFile, match=r"cannot be read \(No such file or directory\)"):
        reader.read(f"oci-archive:{tmp_path}/nothing.tar")
    folder = images.write_layout(tmp_path / "l", {"a": made})
    blob(folder, made.layers[-1]).unlink()
    for reference in (f"oci:{folder}", f"oci-archive:{images.archived(folder, tmp_path / 'l.tar')}"):
        with pytest.raises(errors.NotFound, match=made.layers[-1].replace(":", "/")):
            reader.read(reference)


def test_what_is_no_archive(reader, tmp_path):
    (tmp_path / "x.tar").write_bytes(b"no tar" * 200)
    with pytest.raises(errors.Damaged, match="not a tar archive"):
        reader.read(f"oci-archive:{tmp_path / 'x.tar'}")


def test_an_archive_cannot_point_at_files_outside(reader, made, tmp_path):
    """Its index is a link to a file of ours, and nothing of that is read."""
    secret = images.write_layout(tmp_path / "l", {"a": made}) / "index.json"
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        archive.addfile(images.member("index.json", tarfile.SYMTYPE, str(secret)))
    with pytest.raises(errors.NotFound, match=r"index\.json cannot be read \(not in the archive\)"):
        reader.read(f"oci-archive:{tmp_path / 'x.tar'}")


def test_an_index_that_is_none(reader, made, tmp_path):
    folder = images.write_layout(tmp_path / "l", {"a": made})
    for wrong in ("no JSON", json.dumps({"manifests": [{}]}), " " * (5 << 20)):
        (folder / "index.json").write_text(wrong)
        with pytest.raises(errors.Damaged, match="fix: "):
            reader.read(f"oci:{folder}")
