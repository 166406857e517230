"""`--ignore` where this machine is looked at: prerequisites, and those of a lab."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner

from hardway.checks.host.lab import TABLE
from hardway.cli.main import cli
from hardway.lab import prerequisites
from hardway.lab.cluster_files import write_files
from hardway.lab.paths import LabPaths
from hardway.model.errors import CheckError, ToolError
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.trees import write_folder


def hardway(folder, *words):
    return CliRunner().invoke(cli, ["-C", str(folder), *words])


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "c", install_config())


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A lab's folder on a machine whose users may watch too few files."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    limit = tmp_path / "max_user_instances"
    limit.write_text("128\n")
    monkeypatch.setattr(prerequisites, "INOTIFY", limit)
    place = tmp_path / f"i{os.getpid()}"
    write_files(place, "1+0")
    return place


def test_prerequisites(folder):
    words = ("prerequisites", "--size", "master=4,900000GiB,120GiB", "-o", "json")
    failed = hardway(folder, *words)
    assert isinstance(failed.exception, CheckError)
    names = {f["check"] for f in json.loads(failed.stdout)["findings"] if f["severity"] == "error"}
    assert "host.memory" in names
    done = hardway(folder, *words, *(word for name in names for word in ("--ignore", name)))
    assert done.exception is None
    assert {f["check"] for f in json.loads(done.stdout)["findings"] if f["ignored"]} == names


def test_a_remedy_of_what_is_ignored_is_not_run(folder, tmp_path, monkeypatch):
    (tmp_path / "programs").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    words = ("prerequisites", "--fix", "--dry-run")
    assert "podman" in hardway(folder, *words).stdout
    assert "podman" not in hardway(folder, *words, "--ignore", "host.programs").stdout


def test_lab_up(lab):
    planned = hardway(lab, "lab", "up", "--dry-run", "-o", "json", "--ignore", "lab.inotify")
    missing = {row["check"]: row["ignored"] for row in json.loads(planned.stdout)["missing"]}
    assert missing["lab.inotify"]
    others = [row for row in missing if row != "lab.inotify"]
    assert not any(missing[name] for name in others)
    shown = hardway(lab, "lab", "up", "--dry-run", "--ignore", "lab.inotify").stdout
    assert "ignored: fs.inotify.max_user_instances: is 128" in shown
    refused = hardway(lab, "lab", "up")
    assert isinstance(refused.exception, ToolError)
    assert "[lab.inotify]" in str(refused.exception)


def test_lab_run(lab):
    done = hardway(lab, "lab", "run", "01", "--ignore", "lab.*")
    assert done.exception is None
    assert "  ignored lab.inotify: fs.inotify.max_user_instances: is 128" in done.stdout
    assert "ignored: fs.inotify.max_user_instances" in done.stderr
    lines = hardway(lab, "lab", "run", "01", "--ignore", "lab.*", "-o", "json").stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    assert {row["name"]: (row["ok"], row["state"]) for row in rows}["lab.inotify"] == (True, "ignored")


def test_an_ignored_prerequisite_lets_the_lab_begin(lab):
    cluster = open_workspace(lab).loaded.cluster
    place = LabPaths(name=lab.name, folder=lab.parent / "lab")
    report = prerequisites.demand(place, cluster, {"lab.inotify", *(c.name for c in TABLE)})
    assert "lab.inotify" in {f.check for f in report.ignored}
    with pytest.raises(ToolError, match=r"lab\.inotify"):
        prerequisites.demand(place, cluster)
