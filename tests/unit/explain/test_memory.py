"""What explain remembers is what it would say anew, and is forgotten when anything that decides it changes."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from hardway.explain import memory
from hardway.explain.explanation import explain_all
from hardway.explain.text import as_dict, from_dict
from tests.support.clusters import install_config
from tests.support.forked import hardway
from tests.support.trees import build_folder, write_folder

ADDRESS = "cert/root-ca"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return build_folder(write_folder(tmp_path_factory.mktemp("good") / "c", install_config(), mco=False))


@pytest.fixture(scope="module")
def explained(workspace):
    return list(explain_all(workspace))


@pytest.fixture
def folder(workspace, explained, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = shutil.copytree(workspace.store.root.parent, tmp_path / "c")
    memory.remember(place, map(as_dict, explained))
    return place


def test_every_address_comes_back_as_it_was(folder, explained):
    remembered = memory.remembered(folder)
    assert [from_dict(memory.found_in(remembered, one.address)) for one in explained] == explained
    assert memory.recall(folder, ADDRESS) == memory.found_in(remembered, ADDRESS)


def test_a_remembered_answer_is_the_same_answer(folder, tmp_path):
    environment = {"XDG_CACHE_HOME": str(tmp_path / "other")}
    first, second = (hardway("-C", folder, "explain", ADDRESS, **environment) for _ in range(2))
    assert (tmp_path / "other" / "hardway" / "explain").is_dir()
    assert first.stdout == second.stdout
    assert first.stdout.startswith(ADDRESS)
    third = hardway("-C", folder, "explain", ADDRESS, "-o", "json", **environment)
    assert json.loads(third.stdout)["address"] == ADDRESS


@pytest.mark.parametrize("name", ["install-config.yaml", "hosts.yaml", "hardway.yaml", "assets/release/release.json"])
def test_a_changed_file_is_not_answered_from_memory(folder, name):
    assert memory.recall(folder, ADDRESS)
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text((file.read_text() if file.exists() else "") + "\n# changed\n")
    assert memory.recall(folder, ADDRESS) is None


def test_an_unknown_address_is_not_remembered(folder):
    assert memory.recall(folder, "cert/root") is None
    assert memory.recall(folder, "") is None


def test_a_damaged_memory_is_no_memory(folder, tmp_path):
    (file,) = (tmp_path / "cache" / "hardway" / "explain").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_bytes(b"nonsense")
    assert memory.recall(folder, ADDRESS) is None


def test_a_cache_that_cannot_be_written_is_done_without(folder, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    done = hardway("-C", folder, "explain", "failure/F06", XDG_CACHE_HOME=str(blocked))
    assert (done.returncode, done.stderr) == (0, "")
    assert os.path.isfile(blocked)


def test_the_oldest_folders_are_forgotten(folder, tmp_path):
    home = tmp_path / "cache" / "hardway" / "explain"
    for number in range(memory.MOST + 3):
        memory.remember(tmp_path / str(number), [])
    left = {path.name.rpartition("%")[2] for path in home.iterdir()}
    assert left == {str(number) for number in range(3, memory.MOST + 3)}
