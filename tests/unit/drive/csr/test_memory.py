"""The memory of keys: kept, private, of one cluster, and changed by the operator's word alone."""

from __future__ import annotations

import pytest

from hardway.drive.csr import memory
from hardway.drive.csr.memory import FILE, Memory
from hardway.io.links import LinkError
from hardway.model.errors import ConfigError

NESTED = "[" * 200_000 + "]" * 200_000


def test_a_key_is_kept_for_its_cluster_alone(tmp_path):
    memory.note(tmp_path, "uid-1", "master-0", "aa")
    memory.note(tmp_path, "uid-1", "master-1", "bb")
    found = memory.read(tmp_path)
    assert found == Memory(cluster="uid-1", keys={"master-0": "aa", "master-1": "bb"})
    assert found.of("uid-1") == found
    assert found.of("uid-2").keys == {}
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_another_cluster_begins_anew(tmp_path):
    memory.note(tmp_path, "uid-1", "master-0", "aa")
    memory.note(tmp_path, "uid-2", "master-1", "bb")
    assert memory.read(tmp_path) == Memory(cluster="uid-2", keys={"master-1": "bb"})


def test_the_operators_word_is_good_once(tmp_path):
    memory.note(tmp_path, "uid-1", "master-0", "aa")
    memory.allow(tmp_path, ["master-0", "worker-0"])
    assert memory.read(tmp_path).replaced == ("master-0", "worker-0")
    memory.note(tmp_path, "uid-1", "master-0", "cc")
    found = memory.read(tmp_path)
    assert (found.keys, found.replaced) == ({"master-0": "cc"}, ("worker-0",))


@pytest.mark.parametrize("content", ["", "[]", '{"keys": 3}', '{"keys": {}, "cluster": "a"}', NESTED], ids=len)
def test_a_damaged_memory_is_not_taken_for_an_empty_one(tmp_path, content):
    (tmp_path / FILE).write_text(content)
    with pytest.raises(ConfigError, match="damaged"):
        memory.read(tmp_path)
    assert (tmp_path / FILE).read_text() == content


def test_a_memory_that_is_a_link_is_not_believed(tmp_path):
    """Whoever plants the link would choose which keys are known."""
    memory.note(tmp_path / "other", "uid-1", "master-0", "theirs")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / FILE).symlink_to(tmp_path / "other" / FILE)
    with pytest.raises(LinkError, match="is a symbolic link to"):
        memory.read(tmp_path / "assets")
    (tmp_path / "linked").symlink_to(tmp_path / "other")
    with pytest.raises(LinkError, match="is a symbolic link to"):
        memory.read(tmp_path / "linked")
