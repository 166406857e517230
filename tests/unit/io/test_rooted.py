"""A root in which somebody else plants links: none of them leads out of it.

Paths below the root are also those of an empty folder of this machine: what leaves the root by mistake ends there.
"""

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
    return tmp_path / "root"


@pytest.fixture
def etc(tmp_path, root):
    """A folder of the root, as the root names it."""
    path = tmp_path / "etc"
    path.mkdir()
    below(root, path).mkdir(parents=True)
    yield path
    assert list(path.iterdir()) == []


def below(root, path):
    return root / path.relative_to("/")


def test_a_link_to_a_file_outside_is_not_read(root, etc, outside):
    up = "../" * len(below(root, etc).relative_to(root.parent).parts)
    for number, target in enumerate((outside / "shadow", f"{up}outside/shadow", f"/proc/self/root{outside}/shadow")):
        (below(root, etc) / f"{number}").symlink_to(target)
        with pytest.raises(FileNotFoundError):
            rooted.read(root, f"{etc}/{number}")


def test_a_link_to_a_file_outside_is_replaced_and_not_written_through(root, etc, outside):
    (below(root, etc) / "secret").symlink_to(outside / "shadow")
    rooted.write(root, f"{etc}/secret", b"ours", 0o600)
    assert not (below(root, etc) / "secret").is_symlink()
    assert rooted.read(root, f"{etc}/secret") == b"ours"


@pytest.mark.parametrize("target", ["{outside}", "{up}outside", "{outside}/.."])
def test_a_folder_that_is_a_link_to_one_outside_is_not_entered(root, etc, outside, target):
    up = "../" * len(below(root, etc).relative_to(root.parent).parts)
    (below(root, etc) / "kubernetes").symlink_to(target.format(outside=outside, up=up))
    with pytest.raises(OSError, match=r"File exists|No such file"):
        rooted.write(root, f"{etc}/kubernetes/manifests/pod.yaml", b"ours", 0o600)


def test_a_part_that_was_planted_is_not_written_through(root, etc, outside):
    (below(root, etc) / f".secret.{os.getpid()}.part").symlink_to(outside / "shadow")
    rooted.write(root, f"{etc}/secret", b"ours", 0o600)
    assert rooted.read(root, f"{etc}/secret") == b"ours"


def test_links_that_stay_inside_are_the_roots_own(root, etc):
    """As a node itself reads them: an absolute one begins at its root."""
    own = below(root, etc)
    (own / "usr/lib").mkdir(parents=True)
    (own / "lib").symlink_to(f"{etc}/usr/lib")
    rooted.write(root, f"{etc}/lib/file", b"inside", 0o644)
    assert (own / "usr/lib/file").read_bytes() == b"inside"
    assert rooted.real(root, f"{etc}/lib/file") == (own / "usr/lib/file").resolve()
    out = "../" * 50
    assert rooted.real(root, f"{etc}/lib/{out}{etc}/lib/new/one") == (own / "usr/lib").resolve() / "new/one"


def test_missing_folders_are_made_and_modes_are_exact(root, etc):
    before = os.umask(0)
    try:
        rooted.write(root, f"{etc}/kubernetes/manifests/pod.yaml", b"x", 0o600)
    finally:
        os.umask(before)
    assert S_IMODE((below(root, etc) / "kubernetes/manifests").stat().st_mode) == 0o700
    assert S_IMODE((below(root, etc) / "kubernetes/manifests/pod.yaml").stat().st_mode) == 0o600


def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(root, etc):
    os.mkfifo(below(root, etc) / "file")
    with pytest.raises(OSError, match="not a plain file"):
        rooted.read(root, f"{etc}/file")


def test_a_file_that_would_fill_the_memory_is_not_read(root, etc):
    with (below(root, etc) / "large").open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(OSError, match="File too large"):
        rooted.read(root, f"{etc}/large")


def test_a_root_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        rooted.read(tmp_path / "none", "/etc/file")
    assert rooted.real(tmp_path / "none", "/var/log") == tmp_path / "none/var/log"
