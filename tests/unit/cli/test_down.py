"""`hardway down` where machines are its owner's: the record goes, whatever is in it."""

from __future__ import annotations

import pytest

from tests.support.clusters import install_config
from tests.support.forked import hardway
from tests.support.trees import write_folder


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "c", install_config())


@pytest.mark.parametrize("note", ['{"kind": "own"}', '{"kind": ["own"]}', "no JSON", None])
def test_the_record_is_removed_even_if_its_note_is_damaged(folder, note):
    record = folder / "assets/machines"
    record.mkdir(parents=True)
    if note:
        (record / "place.json").write_text(note)
    shown = hardway("-C", folder, "down", "--dry-run").stdout
    assert f"remove    record   {record}" in shown
    assert record.is_dir()
    done = hardway("-C", folder, "down", "--yes")
    assert done.returncode == 0, done.stderr
    assert not record.exists()


def test_a_folder_without_a_cluster_says_so_and_names_what_is_left(folder):
    done = hardway("-C", folder, "down", "--yes")
    assert done.returncode == 0
    assert "no cluster of this folder is recorded" in done.stdout
    assert "leave     machines bootstrap, master-0" in done.stdout
