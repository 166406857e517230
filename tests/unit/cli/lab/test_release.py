"""hardway lab release: what it refuses, prints and keeps."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from hardway.cli.lab.group import lab
from hardway.model.errors import ConfigError
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
    assert f"--push {repository}: this names no repository" in str(done.exception)


def test_list_and_clean_work_on_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert json.loads(invoke("list", "-o", "json").output) == [{"kind": "blobs", "name": "blobs", "bytes": 0}]
    built = lab_programs.build(tmp_path)
    (tmp_path / "hardway").mkdir()
    (tmp_path / "cache").rename(tmp_path / "hardway" / "lab")
    assert built.folder.name in invoke("list").output
    assert invoke("clean").exit_code == 0
    assert built.folder.name not in invoke("list").output
