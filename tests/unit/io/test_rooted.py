"""A root in which somebody else plants links: none of them leads out of it."""

from __future__ import annotations

import os
from stat import S_IMODE

import pytest

from hardway.io import rooted


@pytest.fixture
def outside(tmp_path):
    """What is none of the root's: it is neither read nor changed."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "shadow").write_text("precious")
    yield folder
    assert [p.name for p in folder.iterdir()] == ["shadow"]
    assert (folder / "shadow").read_text() == "precious"


@pytest.fixture
def root(tmp_path):
    place = tmp_path / "root"
    (place / "etc").mkdir(parents=True)
    return place


def test_a_link_to_a_file_outside_is_not_read(root, outside):
    for number, target in enumerate((outside / "shadow", "../../outside/shadow", f"/proc/self/root{outside}/shadow")):
        (root / "etc" / f"{number}").symlink_to(target)
        with pytest.raises(FileNotFoundError):
            rooted.read(root, f"/etc/{number}")


def test_a_link_to_a_file_outside_is_replaced_and_not_written_through(root, outside):
    (root / "etc/secret").symlink_to(outside / "shadow")
    rooted.write(root, "/etc/secret", b"ours", 0o600)
    assert not (root / "etc/secret").is_symlink()
    assert rooted.read(root, "/etc/secret") == b"ours"


@pytest.mark.parametrize("target", ["{outside}", "../../outside", "{outside}/.."])
def test_a_folder_that_is_a_link_to_one_outside_is_not_entered(root, outside, target):
    (root / "etc/kubernetes").symlink_to(target.format(outside=outside))
    with pytest.raises(OSError, match=r"File exists|No such file"):
        rooted.write(root, "/etc/kubernetes/manifests/pod.yaml", b"ours", 0o600)


def test_a_part_that_was_planted_is_not_written_through(root, outside):
    (root / f"etc/.secret.{os.getpid()}.part").symlink_to(outside / "shadow")
    rooted.write(root, "/etc/secret", b"ours", 0o600)
    assert rooted.read(root, "/etc/secret") == b"ours"


def test_links_that_stay_inside_are_the_roots_own(root):
    """As a node itself reads them: an absolute one begins at its root."""
    (root / "usr/lib").mkdir(parents=True)
    (root / "lib").symlink_to("/usr/lib")
    rooted.write(root, "/lib/file", b"inside", 0o644)
    assert (root / "usr/lib/file").read_bytes() == b"inside"
    assert rooted.real(root, "/lib/file") == (root / "usr/lib/file").resolve()
    assert rooted.real(root, "/lib/../../../lib/new/one") == (root / "usr/lib").resolve() / "new/one"


def test_missing_folders_are_made_and_modes_are_exact(root):
    before = os.umask(0)
    try:
        rooted.write(root, "/etc/kubernetes/manifests/pod.yaml", b"x", 0o600)
    finally:
        os.umask(before)
    assert S_IMODE((root / "etc/kubernetes/manifests").stat().st_mode) == 0o700
    assert S_IMODE((root / "etc/kubernetes/manifests/pod.yaml").stat().st_mode) == 0o600


def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(root):
    os.mkfifo(root / "etc/file")
    with pytest.raises(OSError, match="not a plain file"):
        rooted.read(root, "/etc/file")


def test_a_root_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        rooted.read(tmp_path / "none", "/etc/file")
    assert rooted.real(tmp_path / "none", "/var/log") == tmp_path / "none/var/log"
