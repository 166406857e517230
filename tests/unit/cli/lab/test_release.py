"""hardway lab release: what it refuses, prints and keeps."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import timedelta

import pytest
from click.testing import CliRunner

from hardway.cli.lab.group import lab
from hardway.cli.lab.status import _print as print_status
from hardway.lab.status import status
from hardway.labrelease.images.layers import remember
from hardway.labrelease.images.layout import Blob, Blobs
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError
from hardway.workspace.folder import example
from tests.support.lab import programs as lab_programs


def invoke(*words):
    return CliRunner().invoke(lab, ["release", *words], catch_exceptions=True)


OPTIONS = [
    ("--insecure-registry", "h:1"),
    ("--trust-bundle", "x"),
    ("--pull-secret", "x"),
    ("--insecure",),  # the old names
    ("--ca", "x"),
    ("--authfile", "x"),
]


@pytest.mark.parametrize("option", OPTIONS)
def test_how_to_push_without_where_to_is_refused(option):
    done = invoke("build", *option)
    assert isinstance(done.exception, ConfigError)
    assert "fix: give --push REGISTRY/REPO too" in str(done.exception)


@pytest.mark.parametrize("repository", ["127.0.0.1:5000", "127.0.0.1:5000/", "host/repo@sha256:00"])
def test_what_names_no_repository_is_refused(repository):
    done = invoke("build", "--push", repository)
    assert isinstance(done.exception, ConfigError)
    assert f"--push {repository}: this is not a repository" in str(done.exception)


def test_list_and_clean_work_on_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert json.loads(invoke("list", "-o", "json").output) == [{"kind": "blobs", "name": "blobs", "bytes": 0}]
    built = lab_programs.build(tmp_path)
    (tmp_path / "hardway").mkdir()
    (tmp_path / "cache").rename(tmp_path / "hardway" / "lab")
    assert built.folder.name in invoke("list").output
    planned = json.loads(invoke("clean", "--dry-run", "-o", "json").output)
    assert str(tmp_path / "hardway/lab/releases") in planned["removed"]
    assert planned["dryRun"] is True
    assert built.folder.name in invoke("list").output
    assert invoke("clean").output == "".join(f"removed {folder}\n" for folder in planned["removed"])
    assert built.folder.name not in invoke("list").output


def test_older_releases_are_counted_and_listed_on_demand(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    names = ["core-bbbb", "core-aaaa", "core-cccc", "operators-dddd"]  # the oldest first
    for age, name in enumerate(names):
        folder = tmp_path / "hardway/lab/releases" / name
        folder.mkdir(parents=True)
        os.utime(folder, (age, age))
    shown = invoke("list").output
    assert [name for name in names if name in shown] == ["core-cccc", "operators-dddd"]
    assert "2 older releases not listed: --all lists them; `hardway lab release clean` removes all\n" in shown
    every = invoke("list", "--all").output
    assert all(name in every for name in names)
    assert "not listed" not in every


@pytest.fixture
def bases(tmp_path, monkeypatch):
    """Two Debians in the cache, as a build and a lab leave them; what is unfinished is none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache = tmp_path / "hardway" / "lab"
    blob = Blob(media_type="", digest=f"sha256:{'0' * 64}", size=0)
    remember(Blobs(cache / "blobs").folder.parent / "layers" / "base-1234", blob)  # where base.layer keeps its note
    (cache / "node-root-5678/etc").mkdir(parents=True)
    (cache / "node-root-5678.lock").touch()
    return cache


def test_the_age_of_a_debian_is_told_and_an_old_one_says_what_to_do(bases, monkeypatch):
    assert [row for row in json.loads(invoke("list", "-o", "json").output) if row["kind"] == "base"] == [
        {"kind": "base", "name": "base-1234", "days": 0},
        {"kind": "base", "name": "node-root-5678", "days": 0},
    ]
    assert "base     Debian of the nodes, 0 days old\n" in invoke("list").output
    later = SystemEntropy().now() + timedelta(days=32)
    monkeypatch.setattr(SystemEntropy, "now", lambda self: later)
    assert "days old; `hardway lab release clean --bases` lets" in invoke("list").output


def test_the_status_of_a_lab_tells_the_age_too(bases, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "install-config.yaml").write_text(example("install-config.yaml"))
    later = SystemEntropy().now() + timedelta(days=32, hours=1)
    monkeypatch.setattr(SystemEntropy, "now", lambda self: later)
    told = "32 days old; `hardway lab release clean --bases` lets the next `lab up` make it again"
    found = status(tmp_path)
    assert found.bases == (f"Debian of the images, {told}", f"Debian of the nodes, {told}")
    print_status(replace(found, up=True))
    assert f"\nbase      Debian of the nodes, {told}\n" in capsys.readouterr().out


def test_clean_removes_debians_when_it_is_asked_to(bases):
    assert invoke("clean").exit_code == 0
    assert (bases / "node-root-5678").exists()
    assert invoke("clean", "--bases").exit_code == 0
    assert [path.name for path in bases.glob("*") if path.name.startswith("node-root")] == ["node-root-5678.lock"]
    assert not (bases / "blobs").exists()
