"""A release by tag: somebody has moved the tag, and its images would run as root."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardway.model.errors import CheckError, ConfigError
from hardway.model.settings.file import Options
from hardway.pipeline.release import bring_release, render
from hardway.registry.access import Access
from hardway.registry.cache import Cache
from hardway.registry.image import open_image
from hardway.registry.signature import trust
from hardway.release.catalogue import release_for
from hardway.workspace.folder import example, open_workspace
from tests.support.release.files import write_version

OTHER = f"sha256:{'7' * 64}"
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


def test_no_program_of_an_unsigned_release_runs_without_the_flag(kept: Path):
    with pytest.raises(CheckError, match=r"would run its programs as root\.\n    fix: give --allow-unsigned"):
        render(open_workspace(kept), reading=None, say=lambda _: None)
