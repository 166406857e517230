"""What of a checkout is copied into an image, and what of it may not change during a build."""

from __future__ import annotations

import os

import pytest

from hardway.labrelease.compile.checkout import facts
from hardway.labrelease.compile.steps import copy_data
from hardway.model.errors import ToolError


@pytest.fixture
def folder(tmp_path):
    for name, text in (
        (".git/config", "password"),
        (".env", "password"),
        ("other/x", "other"),
        ("manifests/a.yaml", "a"),
    ):
        (tmp_path / "c" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "c" / name).write_text(text)
    return tmp_path / "c"


@pytest.mark.parametrize("to", ["../.git/config", "../.env", "/etc/passwd"])
def test_a_link_out_of_the_checkout_or_to_a_hidden_file_is_not_copied(folder, tmp_path, to):
    (folder / "manifests/b.yaml").symlink_to(to)
    with pytest.raises(ToolError, match=r"b\.yaml: is a link that leads out of .*\n    fix: "):
        copy_data(folder, "manifests", tmp_path / "made")
    assert not (tmp_path / "made/manifests/b.yaml").exists()


def test_a_data_folder_is_not_a_link_to_gits_own(folder, tmp_path):
    (folder / "bindata").symlink_to(".git")
    with pytest.raises(ToolError, match=r"bindata: is a link that leads out of "):
        copy_data(folder, "bindata", tmp_path / "made")


@pytest.mark.parametrize(("to", "text"), [("a.yaml", "a"), ("../other/x", "other")])
def test_a_link_inside_the_checkout_is_a_file(folder, tmp_path, to, text):
    (folder / "manifests/b.yaml").symlink_to(to)
    copy_data(folder, "manifests", tmp_path / "made")
    assert (tmp_path / "made/manifests/b.yaml").read_text() == text


def test_a_change_that_sets_the_date_back_is_seen(folder):
    file = folder / "manifests/a.yaml"
    before, dates = facts(folder), file.stat()
    file.write_text("b")
    os.utime(file, ns=(dates.st_atime_ns, dates.st_mtime_ns))
    assert facts(folder) != before


def test_hidden_files_count_where_they_are_copied(folder):
    (folder / "manifests/.hidden").mkdir()
    (folder / "manifests/.hidden/_x").write_text("")
    (folder / ".swp").write_text("")
    assert set(facts(folder, ["manifests"])) == {"other/x", "manifests/a.yaml", "manifests/.hidden/_x"}
