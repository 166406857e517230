"""A release by tag: somebody has moved the tag, and its images would run as root."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hardway.lab import rendered
from hardway.lab.prepared import Prepared
from hardway.lab.prepared import _build as build_for_lab
from hardway.model.errors import CheckError, ConfigError, ToolError
from hardway.model.settings.file import Options
from hardway.pipeline.build import Watchers
from hardway.pipeline.release import bring_release, render
from hardway.registry.access import Access
from hardway.registry.cache import Cache
from hardway.registry.image import open_image
from hardway.registry.signature import trust
from hardway.release.catalogue import release_for
from hardway.render.operators.all import render_all
from hardway.workspace.folder import Workspace, example, open_workspace
from hardway.workspace.names import CRDS, MCO, RELEASE
from tests.support.release.files import files, write_oci, write_version

OTHER = f"sha256:{'7' * 64}"
CRD = {
    "0000_10_x.crd.json": json.dumps(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {
                "name": "xs.config.openshift.io",
                "annotations": {
                    "include.release.openshift.io/self-managed-high-availability": "true",
                    "release.openshift.io/bootstrap-required": "true",
                },
            },
        }
    ).encode()
}
QUIET = lambda what, done, total: None  # noqa: E731


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def cluster(folder: Path, release: str, more: str = "") -> Path:
    folder.mkdir()
    (folder / "install-config.yaml").write_text(example("install-config.yaml"))
    (folder / "hardway.yaml").write_text(f"release: {release}\n{more}")
    return folder


def test_a_release_that_only_claims_a_known_version_is_refused(tmp_path: Path):
    folder = cluster(tmp_path / "c", write_version(tmp_path / "oci", "4.18.0"))
    with pytest.raises(
        CheckError, match=r"says that it is 4\.18\.0, but has the digest sha256:.*and not sha256:"
    ) as error:
        bring_release(folder, Options(), QUIET)
    assert "\n    fix: name the release by its digest" in str(error.value)
    assert not (folder / "assets").exists()


def test_a_release_that_nobody_knows_is_refused_by_tag(tmp_path: Path):
    folder = cluster(tmp_path / "c", write_version(tmp_path / "oci", "4.18.7"))
    with pytest.raises(CheckError, match=r"release 4\.18\.7.* is not verified.*nothing was written"):
        bring_release(folder, Options(), QUIET)
    assert not (folder / "assets").exists()


@pytest.mark.parametrize("way", ["option", "setting", "digest", "built"])
def test_it_is_taken_for_a_reason_that_the_user_gave(tmp_path: Path, way: str):
    name = write_version(tmp_path / "oci", "4.18.7")
    with open_image(name, Access(), Cache()) as image:
        digest = image.reference.digest
    if way == "built":
        trust.remember(digest)
    named = f"{name}@{digest}" if way == "digest" else name
    folder = cluster(tmp_path / "c", named, "allowUnsigned: true\n" if way == "setting" else "")
    reading = bring_release(folder, Options(allow_unsigned=way == "option"), QUIET)
    said = {"digest": "not needed: the release is named by its digest", "built": "not needed: this machine built"}
    assert reading
    assert reading.signature.startswith(said.get(way, "not checked: --allow-unsigned"))


def test_the_catalogues_digest_is_reason_enough_and_no_other_is():
    known = release_for("4.18.0").image.rpartition("@")[2]
    asked = trust.Asked(name="4.18.0")
    assert "hardway knows of 4.18.0" in trust.believe(asked, known, "4.18.0", Access())
    with pytest.raises(CheckError, match="nothing was written"):
        trust.believe(asked, OTHER, "4.18.0", Access())


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder with a release that was taken with --allow-unsigned."""
    folder = cluster(tmp_path / "c", write_version(tmp_path / "oci", "4.18.7"))
    assert bring_release(folder, Options(allow_unsigned=True), QUIET, named=True)
    return folder


def record(folder: Path) -> bytes:
    return (folder / "assets" / "release" / "release.json").read_bytes()


def test_a_release_that_was_taken_unsigned_needs_the_flag_again_by_name_only(kept: Path):
    before = record(kept)
    assert bring_release(kept, Options(), QUIET) is None
    with pytest.raises(CheckError, match=r"release 4\.18\.7.* is not verified"):
        bring_release(kept, Options(), QUIET, named=True)
    assert bring_release(kept, Options(allow_unsigned=True), QUIET, named=True) is None
    assert record(kept) == before


def test_a_kept_release_is_believed_again_once_a_key_is_configured(kept: Path):
    (kept / "key.asc").write_text("not a key\n")
    with (kept / "hardway.yaml").open("a") as file:
        file.write(f"signatureKey: key.asc\nsignature: {kept / 'nowhere'}\n")
    before = record(kept)
    with pytest.raises((CheckError, ConfigError)):
        bring_release(kept, Options(allow_unsigned=True), QUIET)
    assert record(kept) == before


def test_a_better_reason_for_a_kept_release_is_written_down(kept: Path):
    trust.remember(keep_digest(kept))
    assert bring_release(kept, Options(), QUIET, named=True) is None
    assert json.loads(record(kept))["trust"]["reason"] == "not needed: this machine built the release"
    assert bring_release(kept, Options(), QUIET, named=True) is None


def keep_digest(folder: Path) -> str:
    return str(json.loads(record(folder))["image"]).rpartition("@")[2]


def test_a_kept_release_without_a_reason_is_believed_anew(kept: Path):
    known = {name: value for name, value in json.loads(record(kept)).items() if name != "trust"}
    (kept / "assets" / "release" / "release.json").write_text(json.dumps(known))
    with pytest.raises(CheckError, match=r"release 4\.18\.7.* is not verified"):
        bring_release(kept, Options(), QUIET)


def test_a_reason_that_came_with_the_folder_ends_with_what_was_read_of_the_release(kept: Path):
    """Decision 041: whoever made assets is trusted with it. Without these folders, the release needs a reason again."""
    known = json.loads(record(kept))
    known["trust"]["reason"] = "verified: the publisher signed it"
    (kept / "assets/release/release.json").write_text(json.dumps(known))
    assert bring_release(kept, Options(), QUIET, named=True) is None
    for name in (RELEASE, CRDS, MCO):
        shutil.rmtree(kept / "assets" / name, ignore_errors=True)
    with pytest.raises(CheckError, match=r"release 4\.18\.7.* is not verified"):
        bring_release(kept, Options(), QUIET)


def by_stage_04(workspace: Workspace) -> None:
    render(workspace, reading=None, say=lambda _: None)


def by_render(workspace: Workspace) -> None:
    render_all(workspace, [], lambda _: None)


def by_bootkube(workspace: Workspace) -> None:
    rendered.run(cast(Prepared, SimpleNamespace(folder=workspace.folder)), [], lambda line: None)


@pytest.mark.parametrize(
    "change", [{"version": 4}, {"images": {"cli": 1}}, {"images": []}, {"gates": {"Default": {}}}, {"image": None}]
)
def test_a_record_of_another_shape_is_damaged(kept: Path, change: dict[str, object]):
    (kept / "assets/release/release.json").write_text(json.dumps(json.loads(record(kept)) | change))
    with pytest.raises(ConfigError, match=r"release\.json: is damaged\.\n    fix: remove"):
        open_workspace(kept)


def test_a_release_that_lacks_an_image_is_named(kept: Path):
    release = open_workspace(kept).loaded.cluster.release
    with pytest.raises(ConfigError, match=r"release 4\.18\.7 has no image kube-proxy.*\n    fix: name another"):
        release.image_for("kube-proxy")


@pytest.mark.parametrize("programs", [by_stage_04, by_render, by_bootkube])
@pytest.mark.parametrize("change", ["flag", "key", "reason"])
def test_no_program_of_a_release_runs_that_is_not_believed_now(
    kept: Path, programs: Callable[[Workspace], None], change: str
):
    """Without the flag; with another key than then; or without a reason that somebody wrote down."""
    if change == "key":
        (kept / "key.asc").write_bytes(b"\x99")
        (kept / "hardway.yaml").write_text(
            f"{(kept / 'hardway.yaml').read_text()}signatureKey: key.asc\nsignature: .\n"
        )
    if change == "reason":
        known = json.loads(record(kept))
        del known["trust"]
        (kept / "assets/release/release.json").write_text(json.dumps(known))
    with pytest.raises(CheckError, match="nothing was written") as caught:
        programs(open_workspace(kept))
    assert "\n    fix: " in str(caught.value)


def test_with_the_flag_they_run(kept: Path):
    """As far as this folder goes: nothing is built in it to render from."""
    workspace = open_workspace(kept, options=Options(allow_unsigned=True))
    with pytest.raises(ConfigError, match="is not built"):
        by_render(workspace)


def test_a_lab_asks_as_stage_04_does_when_it_is_named(kept: Path):
    """Its nodes run the release's images as root."""
    watchers = Watchers(made=QUIET, fetched=QUIET, say=lambda _: None)
    before = record(kept)
    with pytest.raises(CheckError, match=r"release 4\.18\.7.* is not verified"):
        build_for_lab(kept, watchers)
    assert record(kept) == before


def test_of_a_release_that_turns_out_to_be_unusable_nothing_is_written(tmp_path: Path):
    """Its CRDs are good, and it has no feature gates."""
    write_oci(tmp_path / "oci", {name: text for name, text in files().items() if "featureGate" not in name} | CRD)
    folder = cluster(tmp_path / "c", f"oci:{tmp_path / 'oci'}")
    with pytest.raises(ToolError, match="no FeatureGate manifest"):
        bring_release(folder, Options(allow_unsigned=True), QUIET, named=True)
    assert sorted(path.name for path in folder.iterdir()) == ["hardway.yaml", "install-config.yaml"]
