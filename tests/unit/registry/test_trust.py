"""A release by tag: somebody has moved the tag, and its images would run as root."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardway.model.errors import CheckError
from hardway.model.settings.file import Options
from hardway.pipeline.release import bring_release
from hardway.registry.access import Access
from hardway.registry.cache import Cache
from hardway.registry.image import open_image
from hardway.registry.signature import trust
from hardway.release.catalogue import release_for
from hardway.workspace.folder import example
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
