"""What a payload says of itself, and every way in which it can be none."""

from __future__ import annotations

import json

import pytest

from hardway.cli.release.text import facts, text
from hardway.lines.default import DEFAULT
from hardway.model.errors import ConfigError, ToolError
from hardway.registry.signature import verify
from hardway.release.catalogue import feature_gates
from hardway.release.components import table
from hardway.release.payload.files import BUILD_VERSIONS
from hardway.release.payload.read import Payload
from tests.support.release import files as release


def test_a_payload_says_which_release_it_is():
    payload = release.payload()
    assert (payload.version, payload.architecture, payload.digest) == ("4.18.0", "amd64", release.DIGEST)
    assert payload.kubernetes == "1.31.3"
    assert payload.previous == ("4.17.9", "4.17.10")
    assert payload.url == "https://example.com/errata/1"
    assert set(payload.images) == set(release.TAGS)
    assert set(payload.files) - set(payload.manifests) == {"image-references", "release-metadata"}


def test_a_release_for_several_architectures_says_multi():
    said = release.metadata(metadata={"release.openshift.io/architecture": "multi"})
    assert release.payload(release_metadata=json.dumps(said).encode()).architecture == "multi"
    assert Payload(image="oci:folder", files=release.files(), platform="arm64").architecture == "arm64"


def test_of_several_declared_versions_the_highest_counts():
    tags = [
        release.tag("a", **{"io.openshift.build.versions": "kubernetes=1.31.10, machine-os=418.94.1"}),
        release.tag("b", **{"io.openshift.build.versions": "kubernetes=1.31.9"}),
    ]
    payload = release.payload(image_references=json.dumps(release.references(spec={"tags": tags})).encode())
    assert payload.versions == {"kubernetes": "1.31.10", "machine-os": "418.94.1"}


def test_an_image_is_found_by_its_name_and_a_wrong_name_gets_advice():
    payload = release.payload()
    assert payload.image_for("etcd") == payload.images["etcd"]
    with pytest.raises(ConfigError, match=r"no image of the name hyperkub\.\n    fix: did you mean hyperkube\?"):
        payload.image_for("hyperkub")
    with pytest.raises(ConfigError, match=r"fix: `hardway release info --images` lists them"):
        payload.image_for("zzz")


def test_a_name_with_a_line_break_begins_no_line_of_its_own():
    """A release could print that its signature is verified."""
    forged = "x\nsignature     verified"
    said = release.metadata(previous=[forged], metadata={"url": forged})
    tags = [release.tag(forged, **{BUILD_VERSIONS: f"{forged}=1.2.3"})]
    named = release.references(spec={"tags": tags})
    payload = release.payload(release_metadata=json.dumps(said).encode(), image_references=json.dumps(named).encode())
    told = text(facts(payload, "", verify.Verdict(state="unchecked", said="not checked")))
    assert [row for row in told.splitlines() if row.startswith("signature")] == ["signature     not checked"]
    assert told.count(r"x\nsignature     verified") == 3
    rows = table.table(payload)
    assert [row for row in table.text(rows).splitlines() if row.startswith("signature")] == []
    assert [row for row in table.markdown(payload).splitlines() if row.startswith("signature")] == []
    with pytest.raises(ConfigError, match=r"no image of the name x\\nsignature.*\n    fix: did you mean x\\nsignature"):
        payload.image_for(f"{forged}!")


def test_the_release_of_a_payload_has_its_gates():
    found = release.payload().release()
    assert (found.version, found.image, found.origin) == ("4.18.0", release.IMAGE, "payload")
    assert found.images == release.payload().images
    assert {"Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade"} == set(found.gates)
    assert found.gates_of("")[0] == tuple(sorted(found.gates_of("")[0]))
    assert set(feature_gates(DEFAULT)) >= set(found.gates)


def test_a_payload_without_gates_is_no_release_to_build_from():
    bare = {name: content for name, content in release.files().items() if "featureGate-" not in name}
    with pytest.raises(ToolError, match="no FeatureGate manifest has the gates of the default feature set"):
        Payload(image=release.IMAGE, files=bare).release()


def stream(**changes):
    return json.dumps(release.references(**changes)).encode()


def said(**changes):
    return json.dumps(release.metadata(**changes)).encode()


def named(spec):
    return {"tags": [{"name": "etcd", "from": {"kind": "DockerImage", "name": spec}}]}


TWICE = {"tags": [release.tag("etcd"), release.tag("etcd")]}
NAMELESS = {"tags": [{"from": {"kind": "DockerImage", "name": "x"}}, release.tag("etcd")]}
EMPTY = {"tags": [{"name": "etcd", "from": {"kind": "DockerImage"}}]}
OTHER = {"tags": [{"name": "etcd", "from": {"kind": "ImageStreamTag", "name": "etcd:1"}}]}
BROKEN = [
    ({"image_references": None}, "image-references: not found"),
    ({"image_references": b"{"}, "image-references: not JSON"),
    ({"image_references": b"[]"}, "image-references: a JSON object is expected"),
    ({"image_references": stream(kind="ConfigMap")}, "an ImageStream is expected, this is ConfigMap"),
    ({"image_references": stream(apiVersion="v1")}, "an ImageStream is expected"),
    ({"image_references": stream(metadata={})}, "metadata.name, the release's version, is missing"),
    ({"image_references": stream(spec={})}, "spec.tags names no images"),
    ({"image_references": stream(spec=TWICE)}, "etcd is named twice"),
    ({"image_references": stream(spec=NAMELESS)}, r"spec.tags\[0\] has no name"),
    ({"image_references": stream(spec=EMPTY)}, "etcd has no from.name"),
    ({"image_references": stream(spec=OTHER)}, "etcd has no from.name"),
    *(
        ({"image_references": stream(spec=named(spec))}, r"spec.tags\[0\].from.name is not the name of an image")
        for spec in ("--privileged", "-v/:/host", "quay.io/a/b:1 --rm", "quay.io/a/b:1\n", "etcd")
    ),
    ({"release_metadata": None}, "release-metadata: not found"),
    ({"release_metadata": b"\xff"}, "release-metadata: not JSON"),
    ({"release_metadata": said(kind="cincinnati-metadata-v1")}, "kind cincinnati-metadata-v0 is expected"),
    ({"release_metadata": said(version="four")}, "'four' is not a version"),
    ({"release_metadata": said(version=418)}, "418 is not a version"),
    ({"release_metadata": said(version="4.18.1")}, "image-references is of 4.18.0, release-metadata of 4.18.1"),
    ({"release_metadata": said(metadata={"release.openshift.io/architecture": "vax"})}, "architecture 'vax'"),
]


@pytest.mark.parametrize(("changes", "message"), BROKEN)
def test_what_is_wrong_is_said(changes, message):
    with pytest.raises(ToolError, match=message) as caught:
        release.payload(**changes)
    assert str(caught.value).startswith(release.IMAGE)
    assert "\n    fix: " in str(caught.value)


@pytest.mark.parametrize("name", ["a\x1b[2Jb.yaml", "a\nb.yaml", "a\udcffb.yaml", "exe\u202egpj.yaml"])
def test_a_file_whose_name_cannot_be_printed_is_no_part_of_a_release(name):
    """`release extract` would write it, and a listing of the folder would obey it."""
    with pytest.raises(ToolError, match="a file's name has a character that cannot be printed") as caught:
        Payload(image=release.IMAGE, files=release.files() | {name: b""})
    assert all(line.isprintable() for line in str(caught.value).splitlines())


def test_versions_of_any_length_are_compared_as_numbers():
    """One of 5,000 digits is longer than what Python reads as a number."""
    long = "9" * 5000
    for versions, highest in (
        (["1.9.0", "1.31.3", "1.4.0"], "1.31.3"),
        (["1.2.3", f"1.{long}.0", "1.0031.3"], f"1.{long}.0"),
        ([f"0.{long}", "1.0"], "1.0"),
    ):
        tags = [release.tag(f"a{n}", **{BUILD_VERSIONS: f"kubernetes={v}"}) for n, v in enumerate(versions)]
        assert release.payload(image_references=stream(spec={"tags": tags})).kubernetes == highest


def test_everything_that_is_wrong_is_said_at_once():
    with pytest.raises(ToolError) as caught:
        release.payload(image_references=stream(spec={"tags": TWICE["tags"] + EMPTY["tags"] + NAMELESS["tags"]}))
    assert len(str(caught.value).splitlines()) == 1 + 4 + 1
    with pytest.raises(ToolError, match=r"(?s)image-references: not JSON.*release-metadata: not JSON"):
        release.payload(image_references=b"", release_metadata=b"")
