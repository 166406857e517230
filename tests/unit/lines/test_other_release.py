"""A release of a minor version that has no line builds nothing; it can still be read."""

from __future__ import annotations

import json

import pytest

from hardway.model.settings.file import Options
from hardway.pipeline.release import bring_release
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.forked import hardway
from tests.support.release.files import write_version
from tests.support.trees import write_folder

REFUSED = (
    "error: release: is 4.19.3, but hardway knows OpenShift 4.18 alone: the flags, feature gates and manifests that it "
    "writes are those of 4.18 and do not fit 4.19"
)


@pytest.fixture
def run(tmp_path):
    return lambda *words: hardway("-C", tmp_path / "c", *words, XDG_CACHE_HOME=str(tmp_path / "cache"))


def cluster(tmp_path, release, **changes):
    return write_folder(tmp_path / "c", install_config(**changes), mco=False, release=release, keys="ecdsa-p256")


def tree(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("words", [("build", "04"), ("build",)])
def test_a_payload_of_another_minor_version_is_refused(tmp_path, run, words):
    folder = cluster(tmp_path, write_version(tmp_path / "oci", "4.19.3"))
    before = tree(folder)
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{folder}/hardway.yaml:")
    assert REFUSED in done.stderr
    assert "fix: name a release of 4.18, such as 4.18.0" in done.stderr
    assert "Traceback" not in done.stderr
    assert tree(folder) == before


def test_what_does_not_fit_the_payload_is_refused_before_anything_is_kept(tmp_path, run):
    """The pools' architecture is judged by the release's, which only the payload knows."""
    folder = cluster(
        tmp_path,
        write_version(tmp_path / "oci", "4.18.3"),
        controlPlane={"name": "master", "replicas": 3, "architecture": "arm64"},
        compute=[{"name": "worker", "replicas": 2, "architecture": "arm64"}],
    )
    done = run("build", "04")
    assert done.returncode == 2
    assert "architecture" in done.stderr
    assert not (folder / "assets").exists()


def test_what_an_earlier_release_built_stays(tmp_path, run):
    folder = cluster(tmp_path, "4.18.0")
    assert run("build", "06").returncode == 0
    (folder / "hardway.yaml").write_text(f"release: {write_version(tmp_path / 'oci', '4.19.3')}\nkeys: ecdsa-p256\n")
    before = tree(folder)
    assert run("build", "04").returncode == 2
    assert tree(folder) == before


def test_a_folder_that_has_read_one_is_refused(tmp_path, run):
    """Whoever brought it there: its record says of which version it is."""
    name = write_version(tmp_path / "oci", "4.19.3")
    folder = cluster(tmp_path, name)
    record = {"asked": name, "version": "4.19.3", "image": "x", "images": {}, "gates": {}, "architecture": "amd64"}
    (folder / "assets/release").mkdir(parents=True)
    (folder / "assets/release/release.json").write_text(json.dumps(record))
    for words in (["build"], ["build", "05"], ["verify"]):
        done = run(*words)
        assert done.returncode == 2, words
        assert REFUSED in done.stderr


@pytest.mark.parametrize("version", ["4.18.7", "4.18.0-rc.1", "4.18.0-lab.core"])
def test_a_payload_of_the_line_is_taken(tmp_path, monkeypatch, version):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = cluster(tmp_path, write_version(tmp_path / "oci", version))
    assert bring_release(folder, Options(allow_unsigned=True), lambda what, done, total: None)
    assert open_workspace(folder).loaded.cluster.release.version == version


def test_info_still_reads_it(tmp_path, run):
    name = write_version(tmp_path / "oci", "4.19.3")
    cluster(tmp_path, name)
    for words in (["info"], ["info", name]):
        done = run("release", *words, "-o", "json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["version"] == "4.19.3"
