"""Names of images: what they mean, and what is no name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardway.model.errors import ConfigError
from hardway.release.reference import Local, Reference, of_version, parse

DIGEST = f"sha256:{'0123456789abcdef' * 4}"


@pytest.mark.parametrize(
    ("text", "registry", "repository", "tag", "digest"),
    [
        ("quay.io/a/b:4.18.0-x86_64", "quay.io", "a/b", "4.18.0-x86_64", ""),
        (f"quay.io/a/b@{DIGEST}", "quay.io", "a/b", "", DIGEST),
        (f"127.0.0.1:5000/a:t@{DIGEST}", "127.0.0.1:5000", "a", "t", DIGEST),
        ("localhost/a", "localhost", "a", "", ""),
        ("[::1]:5000/a__b/c-d.e", "[::1]:5000", "a__b/c-d.e", "", ""),
    ],
)
def test_the_parts_of_a_reference(text, registry, repository, tag, digest):
    reference = Reference.parse(text)
    assert (reference.registry, reference.repository) == (registry, repository)
    assert (reference.tag, reference.digest) == (tag, digest)
    assert str(reference) == text
    assert parse(text) == reference
    assert reference.name == f"{registry}/{repository}"
    assert reference.wanted == (digest or tag or "latest")


def test_at_a_digest_the_tag_is_gone():
    assert str(Reference.parse("quay.io/a/b:t").at(DIGEST)) == f"quay.io/a/b@{DIGEST}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "busybox",
        "library/busybox",
        "quay.io",
        "quay.io/",
        "quay.io/A",
        "quay.io/a/../b",
        "quay.io/a:",
        "quay.io/a:-x",
        "quay.io/a@sha256:12",
        f"quay.io/a@sha512:{'0' * 128}",
        "https://quay.io/a:b",
        "quay.io/a b",
        "quay.io/a\n",
        "quay.io/a?x=1",
        "4.18",
        "oci:",
        "oci:folder\nfix: a line of its own",
        "oci-archive:file\n:tag",
        "oci:folder:tag\n",
        "quay.io/" + "a" * 600,
    ],
)
def test_what_is_no_reference_says_what_to_write(text):
    with pytest.raises(ConfigError, match=r"\n    fix: write HOST/REPOSITORY:TAG"):
        parse(text)


@pytest.mark.parametrize("name", ["quay.io/a/b:c", f"quay.io/a/b@{DIGEST}"])
def test_a_password_in_a_reference_is_not_shown(name):
    with pytest.raises(ConfigError) as caught:
        parse(f"me:s3cret@{name}")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("version", "architecture", "tag"),
    [
        ("4.18.0", "amd64", "4.18.0-x86_64"),
        ("4.18.3", "arm64", "4.18.3-aarch64"),
        ("4.19.0-rc.1", "s390x", "4.19.0-rc.1-s390x"),
        ("4.18.0", "multi", "4.18.0-multi"),
    ],
)
def test_a_version_is_the_public_release_for_the_architecture(version, architecture, tag):
    expected = f"quay.io/openshift-release-dev/ocp-release:{tag}"
    assert str(parse(version, architecture)) == str(of_version(version, architecture)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("oci:some/folder", Local(kind="oci", path="some/folder")),
        ("oci:/f:tag", Local(kind="oci", path="/f", tag="tag")),
        ("oci-archive:/f.tar:quay.io/a/b:c", Local(kind="oci-archive", path="/f.tar", tag="quay.io/a/b:c")),
        (f"oci:/f@{DIGEST}", Local(kind="oci", path="/f", digest=DIGEST)),
    ],
)
def test_a_local_image(text, expected):
    assert parse(text) == expected
    assert str(expected) == text
    assert str(expected.at(DIGEST)) == f"{expected.kind}:{expected.path}@{DIGEST}"


@given(st.text(alphabet="abz09.:/@-_[]AZ sh256", max_size=40))
def test_what_is_read_is_written_back_as_it_was(text):
    try:
        read = parse(text)
    except ConfigError:
        return
    if not (text[:1].isdigit() and "/" not in text):
        assert str(read) == text
