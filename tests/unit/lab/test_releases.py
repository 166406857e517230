"""Which releases a lab has had, and what ClusterVersion waits for when it gets another one."""

from __future__ import annotations

import shutil

import pytest

from hardway.lab import releases
from hardway.lab.paths import LabPaths
from hardway.lab.replace import waits_for
from hardway.labrelease import places
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.model.errors import ConfigError
from tests.support.lab import programs as lab_programs

CA = BY_NAME["service-ca-operator"]


@pytest.fixture
def paths(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    places.programs().mkdir(parents=True)
    (tmp_path / "lab").mkdir()
    return LabPaths(name="lab", folder=tmp_path / "lab")


def built(tmp_path, *made):
    found = lab_programs.build(tmp_path, "operators", made=made)
    (places.cache() / "releases").mkdir(exist_ok=True)
    target = places.cache() / "releases" / found.folder.name
    if not target.exists():
        target.symlink_to(found.folder)
    return found


def test_a_new_lab_has_had_none(paths):
    assert releases.installed(paths) == ()
    assert releases.find(paths, "sha256:00") is None


def test_what_was_installed_stays_what_it_is_when_another_release_is_put_in(paths, tmp_path):
    first = built(tmp_path)
    second = built(tmp_path, lab_programs.made(places.programs(), CA))
    releases.keep(paths, first, install=True)
    releases.keep(paths, second)
    assert releases.installed(paths) == ()
    known = releases.find(paths, second.digest)
    assert (known.chosen, known.made, known.images) == ("operators", second.made, second.images)
    assert releases.find(paths, first.digest).made == ()


def test_nodes_of_one_release_do_not_go_on_with_another(paths, tmp_path):
    pinned, mine = built(tmp_path), built(tmp_path, lab_programs.made(places.programs(), CA))
    releases.keep(paths, pinned, install=True)
    assert releases.choose(paths, mine.folder.name) == ("operators", mine.made)
    (paths.node("master-0") / "root").mkdir(parents=True)
    assert paths.laid_out() == ("master-0",)
    assert releases.choose(paths, pinned.folder.name) == ("operators", ())
    with pytest.raises(ConfigError, match="has nodes of another release"):
        releases.choose(paths, mine.folder.name)


def version(*history, **conditions):
    rows = [{"type": name, "status": status, "message": f"{name} is {status}"} for name, status in conditions.items()]
    return {"status": {"history": [{"image": i, "state": s} for i, s in history], "conditions": rows}}


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        ({}, "CVO fetches the release"),
        (version(("old", "Completed")), "CVO fetches the release"),
        (version(("old", "Completed"), ReleaseAccepted="False"), "ReleaseAccepted is False"),
        (version(("new", "Partial"), Progressing="True"), "Progressing is True"),
        (version(("new", "Partial"), Progressing="True", Failing="True"), "Failing is True"),
        (version(("new", "Completed"), ("old", "Completed"), Progressing="False"), ""),
    ],
)
def test_what_cvo_still_has_to_do(seen, text):
    assert waits_for(seen, "new") == text


def test_what_came_from_checkouts_is_told_of_the_release_that_runs_and_needs_no_program(paths, tmp_path):
    made = lab_programs.made(places.programs(), CA)
    first, second = built(tmp_path), built(tmp_path, made)
    releases.keep(paths, first, install=True)
    releases.keep(paths, second)
    shutil.rmtree(made.folder)
    told = {"name": "service-ca-operator", **made.state.as_dict()}
    assert releases.sources(paths, second.pull_spec) == [told]
    assert releases.sources(paths, first.pull_spec) == releases.sources(paths, "") == []
    releases.keep(paths, second, install=True)
    assert releases.sources(paths, "") == [told]
    assert releases.sources(paths, "elsewhere.test/release@sha256:00") == []
