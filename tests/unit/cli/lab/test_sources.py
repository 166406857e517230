"""Components from checkouts on the command line: what is refused before anything is made, and what is completed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from hardway.cli.lab.group import lab
from hardway.cli.lab.sources import complete_release, complete_source
from hardway.cli.terminal import settings
from hardway.labrelease import places
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.model.errors import ConfigError
from tests.support.lab import checkout
from tests.support.lab import programs as lab_programs


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    places.programs().mkdir(parents=True)
    yield places.cache()
    vars(settings.chosen).clear()  # what a command line sets counts for the length of a process


def invoke(folder, *words):
    return CliRunner().invoke(lab, list(words), obj=folder, catch_exceptions=True)


def refused(folder, *words):
    done = invoke(folder, *words)
    assert isinstance(done.exception, ConfigError), done.exception
    return str(done.exception)


def test_a_checkout_that_is_none_is_refused_and_nothing_is_made(tmp_path, cache):
    said = refused(tmp_path, "release", "build", "--source", f"service-ca-operator={tmp_path}")
    assert "this is no Go module" in said
    assert [path.name for path in cache.iterdir()] == ["programs"]


def test_without_a_lab_nothing_is_replaced(tmp_path):
    assert "no lab's cluster is here" in refused(tmp_path, "replace", "service-ca-operator=.")


def test_a_description_that_nobody_uses_is_refused(tmp_path):
    file = checkout.describe(tmp_path)
    said = refused(tmp_path, "release", "build", "--component", str(file))
    assert "describes small-operator, which no --source names" in said


def test_a_set_without_the_component_is_refused(tmp_path):
    folder, file = checkout.write(tmp_path), checkout.describe(tmp_path)
    words = ("--set", "core", "--source", f"small-operator={folder}", "--component", str(file))
    assert "small-operator is no component of this set" in refused(tmp_path, "release", "build", *words)


def kept(tmp_path, cache, chosen):
    made = [lab_programs.made(places.programs(), BY_NAME["cluster-policy-controller"])]
    built = lab_programs.build(tmp_path, chosen, made=made)
    (cache / "releases").mkdir(exist_ok=True)
    (tmp_path / "cache/releases" / built.folder.name).rename(cache / "releases" / built.folder.name)
    return built.folder.name


def test_a_release_decides_the_road_of_a_new_lab(tmp_path, cache):
    name = kept(tmp_path, cache, "operators")
    done = invoke(tmp_path / "new", "up", "--release", name, "--dry-run", "-o", "json")
    assert json.loads(done.output)["road"] == "operators"
    said = refused(tmp_path / "new", "up", "--release", name, "--road", "hand", "--dry-run")
    assert f"--release {name}: it is of the set operators, and the road hand takes core" in said
    core = kept(tmp_path, cache, "core")
    assert (
        json.loads(invoke(tmp_path / "new", "up", "--release", core, "--dry-run", "-o", "json").output)["road"]
        == "hand"
    )


def test_a_release_that_is_not_kept_is_refused(tmp_path):
    said = refused(tmp_path / "new", "up", "--release", "operators-0123", "--dry-run")
    assert "--release operators-0123: no release of this name is kept" in said


def test_names_are_completed(tmp_path, cache):
    name = kept(tmp_path, cache, "operators")
    assert complete_source(None, None, "service") == ["service-ca-operator="]
    assert complete_release(None, None, "oper") == [name]
    assert complete_release(None, None, "core") == []
