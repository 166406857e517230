"""Another line is another folder: with one more, releases of its minor version are built, by its own facts."""

from __future__ import annotations

import json

import pytest
import yaml

from hardway.lines.find import known_lines, line_of
from hardway.model.errors import ConfigError
from hardway.model.settings.file import Options
from hardway.pipeline.release import bring_release
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.release import line as release_line
from tests.support.release.files import write_version
from tests.support.release.line import CAPABILITY, GATE, MINOR
from tests.support.trees import build_folder, write_folder

NEW = {"baselineCapabilitySet": f"v{MINOR}", "additionalEnabledCapabilities": [CAPABILITY]}


@pytest.fixture
def another(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with release_line.added(tmp_path / "lines"):
        yield


def folder(tmp_path, release, **changes):
    return write_folder(tmp_path / "c", install_config(**changes), release=release, keys="ecdsa-p256")


def flags_of(root, name):
    pod = yaml.safe_load((root / f"bootstrap-manifests/{name}-pod.yaml").read_text())
    words = [word for container in pod["spec"]["containers"] for word in container.get("args", [])]
    return dict(word.partition("=")[::2] for word in words)


def test_it_is_a_line_as_long_as_its_folder_is_there(tmp_path):
    before = known_lines()
    with release_line.added(tmp_path):
        assert [line.minor for line in known_lines()] == [*(line.minor for line in before), MINOR]
        assert line_of(f"{MINOR}.7").kubernetes == release_line.KUBERNETES
    assert known_lines() == before
    assert line_of(f"{MINOR}.7") is None


def test_a_release_of_it_is_built_with_its_gates_and_versions(tmp_path, another):
    root = build_folder(folder(tmp_path, f"{MINOR}.0", capabilities=NEW)).store.root
    flags = flags_of(root, "kube-apiserver")
    assert f"{GATE}=true" in flags["--feature-gates"].split(",")
    assert flags["--runtime-config"] == "made.up/v1=true"
    version = yaml.safe_load((root / "manifests/cvo-overrides.yaml").read_text())["spec"]
    assert version["channel"] == f"stable-{MINOR}"
    assert version["capabilities"] == NEW
    assert json.loads((root / "bootstrap.ign").read_text())["ignition"]["version"] == "3.4.0"


def test_a_payload_of_it_is_read(tmp_path, another):
    place = folder(tmp_path, write_version(tmp_path / "oci", f"{MINOR}.2"), capabilities=NEW)
    assert bring_release(place, Options(allow_unsigned=True), lambda what, done, total: None)
    cluster = open_workspace(place).loaded.cluster
    assert (cluster.release.version, cluster.release.origin) == (f"{MINOR}.2", "payload")
    assert cluster.line is line_of(f"{MINOR}.0")


def test_its_capabilities_are_not_those_of_other_lines(tmp_path, another):
    with pytest.raises(ConfigError) as refused:
        open_workspace(folder(tmp_path, "4.18.0", capabilities=NEW))
    assert {problem.path for problem in refused.value.problems if not problem.warning} == {
        "capabilities.baselineCapabilitySet",
        "capabilities.additionalEnabledCapabilities[0]",
    }


def test_capabilities_are_judged_by_the_payloads_line_before_anything_is_kept(tmp_path, another):
    """A name that is no version says nothing of the line, so it is only known once the payload is there."""
    place = folder(tmp_path, write_version(tmp_path / "oci", "4.18.3"), capabilities=NEW)
    with pytest.raises(ConfigError, match="baselineCapabilitySet: must be one of"):
        bring_release(place, Options(), lambda what, done, total: None)
    assert not (place / "assets").exists()


def test_the_refusal_names_every_line(tmp_path, another):
    with pytest.raises(ConfigError, match=rf"knows OpenShift 4\.18 and {MINOR} alone"):
        open_workspace(folder(tmp_path, "4.19.3"))
