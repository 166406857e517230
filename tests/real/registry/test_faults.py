"""Everything that can be wrong with a registry or an image: each has its own class, its own words and a fix."""

from __future__ import annotations

import gzip
import tarfile

import pytest

from hardway.model.errors import ConfigError
from hardway.registry import errors
from hardway.registry.manifest import LARGEST
from tests.support.netns import inside, network
from tests.support.registry import images
from tests.support.registry.front import front
from tests.support.registry.server import Reader

PAYLOAD = images.payload_files()


def fails(reader, error, reference):
    with pytest.raises(errors.RegistryError) as caught:
        reader.read(reference)
    assert type(caught.value) is error
    message = str(caught.value)
    assert message.splitlines()[-1].startswith("    fix: ")
    assert caught.value.exit_code == 3
    return message


def pushed(registry, name, *layers):
    made = images.image(*layers)
    return registry.push(name, "a", made), made


def test_nobody_listens(reader):
    reader.access["plain_http"] |= {"127.0.0.1:1"}
    for host in ("127.0.0.1:1", "127.0.0.1:2"):
        assert f"{host}: cannot be reached (Connection refused)" in fails(reader, errors.Unreachable, f"{host}/a/b:c")


def test_a_name_that_nobody_knows(reader):
    """In a network of its own, so that no real name server is asked."""
    with network([]) as name, inside(name):
        message = fails(reader, errors.Unreachable, "registry.example.com/a/b:c")
    assert "registry.example.com: cannot be reached (its name does not resolve)" in message


def test_a_repository_that_is_not_there(registry, reader):
    message = fails(reader, errors.NotFound, f"{registry.host}/no/such:a")
    assert f"{registry.host} has no repository no/such (404 " in message


def test_a_tag_that_is_not_there(registry, reader):
    pushed(registry, "tags", images.layer(PAYLOAD))
    message = fails(reader, errors.NotFound, f"{registry.host}/tags:b")
    assert f"{registry.host}/tags:b: there is no such image in the repository (404 MANIFEST_UNKNOWN)" in message
    assert "skopeo list-tags" in message


def test_a_digest_that_is_not_there(registry, reader):
    pushed(registry, "digests", images.layer(PAYLOAD))
    assert "404" in fails(reader, errors.NotFound, f"{registry.host}/digests@sha256:{'0' * 64}")


def test_a_blob_that_is_not_there(registry, reader):
    reference, made = pushed(registry, "gone", images.layer(PAYLOAD | {"x": b"gone"}))
    registry.blob_file(made.layers[0]).unlink()
    message = fails(reader, errors.NotFound, reference)
    assert f"the image is there, but not its blob {made.layers[0]} (404" in message


def test_a_layer_with_another_digest(registry, reader):
    reference, made = pushed(registry, "digest", images.layer(PAYLOAD | {"x": b"digest"}))
    file = registry.blob_file(made.layers[0])
    file.write_bytes(bytes(len(made.blobs[made.layers[0]])))
    assert f"blob {made.layers[0]} has another digest than its name" in fails(reader, errors.WrongDigest, reference)
    assert not list(reader.cache.folder.rglob(made.layers[0].removeprefix("sha256:") + "*")), "nothing of it is kept"


def test_a_layer_that_is_too_long(registry, reader):
    reference, made = pushed(registry, "long", images.layer(PAYLOAD | {"x": b"long"}))
    registry.blob_file(made.layers[0]).write_bytes(made.blobs[made.layers[0]] + b"more")
    assert "is larger than the manifest's" in fails(reader, errors.WrongDigest, reference)


def test_a_truncated_layer(registry, reader):
    reference, made = pushed(registry, "short", images.layer(PAYLOAD | {"x": b"short"}))
    content = made.blobs[made.layers[0]]
    registry.blob_file(made.layers[0]).write_bytes(content[:-100])
    message = fails(reader, errors.Truncated, reference)
    assert f"blob {made.layers[0]} is truncated: {len(content) - 100} of {len(content)} bytes" in message


def test_a_manifest_with_another_digest(registry, reader):
    made = images.release(4)
    registry.push("manifest", "a", made)
    registry.blob_file(made.digest).write_bytes(images.release(5).manifest)
    message = fails(reader, errors.WrongDigest, f"{registry.host}/manifest@{made.digest}")
    assert f"does not have the digest {made.digest}" in message


def test_a_tag_whose_manifest_is_not_what_the_registry_says(registry, reader):
    """The registry computes its header from the name under which it keeps the manifest."""
    made = images.release(6)
    reference = registry.push("claimed", "a", made)
    registry.blob_file(made.digest).write_bytes(images.release(5).manifest)
    fails(reader, errors.WrongDigest, reference)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (images.layer(PAYLOAD)[:-300], "Compressed file ended"),
        (b"\x1f\x8b\x08\x00" + b"\xff" * 600, ""),
        (gzip.compress(b"no tar at all" * 100), ""),
        (gzip.compress(images.tar(PAYLOAD)[:700]), "unexpected end of data"),
        (gzip.compress(images.tar(PAYLOAD)[:1536] + b"\xff" * 2048), ""),
        (b"", "empty file"),
        (images.layer({}, images.member("x", tarfile.XHDTYPE, size=8 << 30)), "a name longer than any"),
    ],
    ids=[
        "gzip ends early",
        "gzip is wrong",
        "no tar",
        "tar ends early",
        "a wrong header in the middle",
        "empty",
        "pax",
    ],
)
def test_a_layer_that_cannot_be_read(registry, reader, content, said):
    reference, made = pushed(registry, f"damaged-{len(content)}", content)
    message = fails(reader, errors.Damaged, reference)
    assert f"layer {made.layers[0]}: not a readable layer (" in message
    assert said in message


def test_zstd_is_said_to_be_zstd(registry, reader):
    reference, _ = pushed(registry, "zstd", b"\x28\xb5\x2f\xfd" + bytes(600))
    assert "compressed with zstd" in fails(reader, errors.Unsupported, reference)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"etc/os-release": b"x"}, "it has no /release-manifests"),
        ({"release-manifests/image-references": b"{}"}, "its /release-manifests has no release-metadata"),
        ({"release-manifests/a.yaml": b"{}"}, "has no image-references and no release-metadata"),
        ({"release-manifests.old/image-references": b"{}"}, "it has no /release-manifests"),
    ],
)
def test_an_image_that_is_no_release(registry, reader, files, said):
    reference, _ = pushed(registry, f"other-{len(said)}", images.layer(files))
    message = fails(reader, errors.NotARelease, reference)
    assert "not a release" in message
    assert said in message


UNSAFE = {
    "parent": images.layer(PAYLOAD | {"release-manifests/../../etc/shadow": b"x"}),
    "parent first": images.layer({"../release-manifests/x": b"x"} | PAYLOAD),
    "absolute": images.layer({"/release-manifests/x": b"x"} | PAYLOAD),
    "link up": images.layer(PAYLOAD, images.member("release-manifests/x", tarfile.SYMTYPE, "../etc/shadow")),
    "link to root": images.layer(PAYLOAD, images.member("release-manifests/x", tarfile.SYMTYPE, "/etc/shadow")),
    "the folder is a link": images.layer({}, images.member("release-manifests", tarfile.SYMTYPE, "etc"), last=PAYLOAD),
    "below a link": images.layer(
        PAYLOAD, images.member("release-manifests/d", tarfile.SYMTYPE, "."), last={"release-manifests/d/x": b"x"}
    ),
    "hard link out": images.layer(PAYLOAD, images.member("release-manifests/x", tarfile.LNKTYPE, "etc/shadow")),
    "hard link up": images.layer(
        PAYLOAD, images.member("release-manifests/x", tarfile.LNKTYPE, "release-manifests/../y")
    ),
    "device": images.layer(PAYLOAD, images.member("release-manifests/x", tarfile.CHRTYPE)),
}


@pytest.mark.parametrize("kind", UNSAFE)
def test_a_path_that_leads_out_of_its_folder(registry, reader, kind):
    reference, made = pushed(registry, f"unsafe/{kind.replace(' ', '-')}", UNSAFE[kind])
    assert f"layer {made.layers[0]}: the path '" in fails(reader, errors.UnsafePath, reference)


def test_a_name_that_is_no_text_cannot_spoil_the_message(registry, reader):
    reference, _ = pushed(registry, "names", images.layer(PAYLOAD | {"release-manifests/../\x1b[2J\udce9": b"x"}))
    assert "\x1b" not in fails(reader, errors.UnsafePath, reference)


def test_a_file_larger_than_anything_honest(registry, reader):
    reference, _ = pushed(registry, "bomb", images.layer(PAYLOAD | {"release-manifests/x": bytes(65 << 20)}))
    assert "'release-manifests/x'" in fails(reader, errors.TooLarge, reference)


def test_an_oversized_manifest_is_not_read_to_its_end(reader):
    with front() as gate:
        gate.statuses, gate.body = [200], b" " * (LARGEST + 1)
        reader.access["plain_http"] |= {gate.host}
        assert f"larger than {LARGEST} bytes" in fails(reader, errors.TooLarge, f"{gate.host}/a/b:c")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"<html>", errors.Damaged),
        (b"[]", errors.Damaged),
        (b"[" * 100_000, errors.Damaged),
        (b'{"schemaVersion": 2}', errors.Damaged),
        (b'{"schemaVersion": 2, "layers": [], "manifests": []}', errors.Damaged),
        (b'{"schemaVersion": 2, "layers": [], "config": {"digest": "../../x", "size": 1}}', errors.Damaged),
        (b'{"schemaVersion": 2, "manifests": [{"digest": "sha256:0", "size": 1}]}', errors.Damaged),
        (b'{"schemaVersion": 2, "manifests": {}}', errors.Damaged),
        (b'{"schemaVersion": 1, "fsLayers": []}', errors.Unsupported),
        (
            b'{"schemaVersion": 2, "layers": [], "config": {"mediaType": "x", "size": 1, "digest": "sha256:%s"}}'
            % (b"0" * 64),
            errors.Unsupported,
        ),
    ],
)
def test_a_manifest_that_is_none(reader, body, error):
    with front() as gate:
        gate.statuses, gate.body = [200], body
        reader.access["plain_http"] |= {gate.host}
        assert f"{gate.host}/a/b:c" in fails(reader, error, f"{gate.host}/a/b:c")


def test_a_server_that_is_no_registry(reader):
    with front() as gate:
        gate.statuses = [418]
        reader.access["plain_http"] |= {gate.host}
        assert "unexpected answer (418)" in fails(reader, errors.Refused, f"{gate.host}/a/b:c")


def test_redirects_without_end(reader):
    with front() as gate:
        gate.statuses, gate.headers = [302] * 9, {"Location": "/elsewhere?signature=s3cret"}
        reader.access["plain_http"] |= {gate.host}
        message = fails(reader, errors.Refused, f"{gate.host}/a/b:c")
    assert "more than 5 redirects" in message
    assert "s3cret" not in message


@pytest.mark.parametrize(
    "location", ["file:///etc/shadow", "https://", "http://[", "http://127.0.0.1:x/", "http://127.0.0.1:0/", ""]
)
def test_a_redirect_to_nowhere(reader, location):
    with front() as gate:
        gate.statuses, gate.headers = [302], {"Location": location}
        reader.access["plain_http"] |= {gate.host}
        assert "redirects to something that is not an address" in fails(reader, errors.Refused, f"{gate.host}/a/b:c")


def test_a_cache_that_cannot_be_written(registry, reader, tmp_path):
    reference, _ = pushed(registry, "cache", images.layer(PAYLOAD))
    (tmp_path / "file").write_text("")
    blocked = Reader(tmp_path / "file" / "cache", **reader.access)
    assert "XDG_CACHE_HOME" in fails(blocked, errors.CacheFailed, reference)


def test_what_is_no_reference(reader):
    with pytest.raises(ConfigError, match="fix: write HOST/REPOSITORY:TAG"):
        reader.read("busybox")
