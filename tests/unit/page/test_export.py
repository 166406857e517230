"""`hardway guide --export DIR`: a folder whole or not at all, and nobody else's."""

from __future__ import annotations

import json
from stat import S_IMODE

import pytest

from tests.support.hardway_program import hardway
from tests.support.trees import built


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages") / "out"
    done = hardway("-C", built().folder, "guide", "--export", folder, "-o", "json")
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


def test_the_pages_are_files_that_anybody_may_read(exported):
    folder, said = exported
    found = [path for path in folder.rglob("*") if path.is_file()]
    assert said == {"pages": str(folder / "index.html"), "files": len(found)}
    assert {S_IMODE(path.stat().st_mode) for path in found} == {0o644}
    assert [path.name for path in folder.parent.iterdir()] == ["out"]


def test_an_older_export_is_replaced(exported):
    folder, _ = exported
    (folder / "old.html").write_text("old")
    assert hardway("-C", built().folder, "guide", "--export", folder).returncode == 0
    assert not (folder / "old.html").exists()


def test_a_folder_with_something_else_stays(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = hardway("-C", built().folder, "guide", "--export", tmp_path)
    assert done.returncode == 2
    assert "is not an export of the guide" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("guide", "05", "--export", "out"), "takes no chapter"),
        (("guide", "--export", "no/such/out"), "there is no folder"),
        (("-C", "empty", "guide", "--export", "out"), "there is no such file"),
    ],
)
def test_what_cannot_be_exported_changes_nothing(words, said, tmp_path):
    done = hardway(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []
