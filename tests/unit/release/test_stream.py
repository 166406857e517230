"""The boot images of a release: addresses and checksums."""

from __future__ import annotations

import json

import pytest

from hardway.model.errors import ToolError
from hardway.release import stream
from tests.support.release import files as release


def test_the_artifacts_of_bare_and_virtual_machines():
    found = stream.read(release.small())
    iso = found.artifact("metal", "iso")
    assert (found.name, iso.release, iso.architecture) == ("rhcos-4.18", "418.94.202501221327-0", "x86_64")
    assert (iso.location, iso.sha256, iso.uncompressed_sha256) == ("https://example.com/live.iso", "1" * 64, "")
    assert [found.artifact("metal", "pxe", part).sha256[0] for part in ("kernel", "initramfs", "rootfs")] == [*"234"]
    assert found.artifact("metal", "raw.gz").uncompressed_sha256 == "f" * 64
    assert found.artifact("metal", "4k.raw.gz").location == "https://example.com/metal4k.raw.gz"
    assert found.artifact("qemu", "qcow2.gz").release == "418.94.202501221327-1"
    assert found.artifact("metal", "iso", architecture="arm64").location == "https://example.com/arm.iso"
    assert found.artifact("metal", "iso", architecture="aarch64") == found.artifact(
        "metal", "iso", architecture="arm64"
    )


def test_images_of_one_architecture_or_of_all():
    found = stream.read(release.small())
    assert {a.architecture for a in found.of("amd64", platforms=("metal", "qemu"))} == {"x86_64"}
    assert {a.architecture for a in found.of("multi", platforms=("metal",))} == {"x86_64", "aarch64"}
    assert [a.platform for a in found.of("amd64", platforms=("qemu",))] == ["qemu"]


def test_what_is_not_there_is_said_with_what_is():
    found = stream.read(release.small())
    with pytest.raises(
        ToolError, match=r"rhcos-4.18 has no x86_64 qemu iso disk.\n    fix: it has x86_64 qemu qcow2.gz disk"
    ):
        found.artifact("qemu", "iso")
    with pytest.raises(ToolError, match="fix: it has aarch64 metal, x86_64 metal, x86_64 qemu"):
        found.artifact("metal", "iso", architecture="s390x")


def test_a_release_without_boot_images():
    assert stream.find({"a.yaml": b"kind: ConfigMap\napiVersion: v1\nmetadata: {name: other}\n"}) is None
    with pytest.raises(ToolError, match="no ConfigMap coreos-bootimages"):
        stream.read({})


def changed(**row):
    body = release.stream()
    body["architectures"]["x86_64"]["artifacts"]["metal"]["formats"]["raw.gz"]["disk"].update(row)
    return json.dumps(body)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"b.yaml: data.stream is not JSON"),
        ("{}", "data.stream names no images"),
        ("[]", "data.stream names no images"),
        (changed(sha256="abc"), "x86_64 metal raw.gz disk has no sha256"),
        (changed(location="ftp://x"), "x86_64 metal raw.gz disk has no address"),
        (changed(**{"uncompressed-sha256": "no"}), "has an invalid uncompressed-sha256"),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(ToolError, match=message):
        stream.find({"b.yaml": release.bootimages(text)})
