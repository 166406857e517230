"""Folders and control groups that a node has made deeper than any path can name: they are removed like others."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hardway.lab import cgroups, tree
from hardway.lab.paths import lab_paths
from hardway.model.errors import ToolError

DEPTH = 2500  # a path has 4095 characters at most, and Python's stack a thousand frames


def dig(folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(DEPTH):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_a_deep_folder_is_removed_and_no_link_is_followed(tmp_path):
    theirs, kept = tmp_path / "theirs", tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("precious")
    theirs.mkdir()
    dig(theirs)
    (theirs / "link").symlink_to(kept)
    tree.delete(theirs)
    tree.delete(theirs)  # there is nothing any more
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").read_text() == "precious"


def test_what_is_mounted_below_is_not_touched(tmp_path):
    mounted = tmp_path / "theirs" / "mounted"
    mounted.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", mounted], check=True)
    try:
        (mounted / "file").write_text("precious")
        with pytest.raises(ToolError, match=r"skipping .*/mounted"):
            tree.delete(tmp_path / "theirs")
        assert (mounted / "file").read_text() == "precious"
    finally:
        subprocess.run(["umount", mounted], check=True)


@pytest.fixture
def lab(tmp_path):
    found = lab_paths(f"g{os.getpid()}", tmp_path)
    yield found
    cgroups.end(found)
    cgroups.remove(found)


def test_deep_groups_are_removed_and_whoever_is_near_the_top_is_found(lab):
    groups = cgroups.make(lab, "node")
    for group in groups[:2]:
        dig(group)
    near = groups[0] / "d" / "d"
    with subprocess.Popen(["sleep", "600"]) as process:
        (near / "cgroup.procs").write_text(str(process.pid))
        assert cgroups.members(lab) == {process.pid}
        cgroups.end(lab)
    cgroups.remove(lab)
    assert not any(group.exists() for group in groups)
