"""Files that are there whole or not at all, locks that end with their process, and a file on no disk."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

from hardway.graph.store import Store
from hardway.io import atomic, lock, rooted
from hardway.io.folder import new_folder
from hardway.io.lock import in_turn, locked
from hardway.io.memory import in_memory
from tests.support.modes import changed

HOLDER = """
import os, sys
from pathlib import Path
from hardway.io.lock import locked
with locked(Path(sys.argv[1])) as handle:
    os.write(handle, b"the first")
    print("locked", flush=True)
    sys.stdin.read()
"""


class Busy(Exception):
    pass


def refuse(holder):
    raise Busy(holder)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def holder(tmp_path):
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"locked\n"
        yield process
        process.kill()


def test_a_file_has_its_content_and_exactly_its_mode(tmp_path):
    before = os.umask(0o077)
    try:
        atomic.write(tmp_path / "public", b"new", atomic.PUBLIC)
    finally:
        os.umask(before)
    atomic.write(tmp_path / "public", b"newer", atomic.PUBLIC)
    assert ((tmp_path / "public").read_bytes(), mode(tmp_path / "public")) == (b"newer", 0o644)
    atomic.write(tmp_path / "secret", b"key")
    assert mode(tmp_path / "secret") == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["public", "secret"]


def test_a_secret_is_private_while_it_is_written(tmp_path):
    with atomic.new_file(tmp_path / "secret") as stream:
        stream.write(b"half")
        [part] = tmp_path.glob(atomic.PARTS)
        assert mode(part) == 0o600
        assert not (tmp_path / "secret").exists()
    assert (tmp_path / "secret").read_bytes() == b"half"


def test_a_secret_is_private_from_the_moment_in_which_it_is_made(tmp_path):
    """Whoever opens it before its mode is set can read what comes after."""
    [one] = changed(lambda: atomic.write(tmp_path / "secret", b"key"))
    root, path = tmp_path / "root", tmp_path / "node"  # which is a path of the test's outside of the root, too
    (root / path.relative_to("/")).parent.mkdir(parents=True)
    [other] = changed(lambda: rooted.write(root, str(path), b"key", 0o600))
    assert [(row.before, row.after) for row in (one, other)] == [(0o600, 0o600)] * 2


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    (tmp_path / "file").write_text("old")
    with suppress(Busy), atomic.new_file(tmp_path / "file") as stream:
        stream.write(b"half")
        raise Busy
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"file": "old"}


def test_a_part_that_somebody_planted_is_in_nobodys_way(tmp_path):
    """A folder, a link and a pipe under the names that are tried first."""
    (tmp_path / "victim").write_text("mine")
    (tmp_path / f".file.{os.getpid()}-0.part").mkdir()
    (tmp_path / f".file.{os.getpid()}-1.part").symlink_to(tmp_path / "victim")
    os.mkfifo(tmp_path / f".file.{os.getpid()}-2.part")
    atomic.write(tmp_path / "file", b"new")
    assert [(tmp_path / name).read_text() for name in ("file", "victim")] == ["new", "mine"]
    assert len(list(tmp_path.glob(atomic.PARTS))) == 3


def test_what_has_the_name_of_a_part_goes_before_a_build(tmp_path):
    """Files and folders of a killed one, keys among them, and whatever else was planted; not what a link leads to."""
    (tmp_path / "assets/.x.part/deep").mkdir(parents=True)
    (tmp_path / "assets/.x.part/deep/.y.part").touch()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/.mine.part").touch()
    (tmp_path / "assets/.z.part").symlink_to(tmp_path / "mine")
    (tmp_path / "assets/tls").mkdir()
    os.mkfifo(tmp_path / "assets/tls/.z.1-0.part")
    with Store(tmp_path / "assets").alone():
        assert list((tmp_path / "assets").rglob(atomic.PARTS)) == []
    assert (tmp_path / "mine/.mine.part").exists()


def test_a_folder_appears_when_it_is_whole_and_what_was_left_of_it_goes(tmp_path):
    (tmp_path / ".made.part").mkdir()
    (tmp_path / ".made.part" / "left").touch()
    with new_folder(tmp_path / "made") as part:
        (part / "one").touch()
        assert not (tmp_path / "made").exists()
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["made", "one"]
    with pytest.raises(Busy), new_folder(tmp_path / "other"):
        raise Busy
    assert [p.name for p in tmp_path.iterdir()] == ["made"]


def test_who_comes_second_is_told_who_has_it_and_may_refuse_to_wait(tmp_path, holder):
    with pytest.raises(Busy, match="the first"), locked(tmp_path / "lock", refuse):
        pass


def test_who_waits_gets_the_lock_when_its_holder_is_killed(tmp_path, holder):
    told = []
    with locked(tmp_path / "lock", lambda who: (told.append(who), holder.kill())):
        assert told == ["the first"]


def test_a_lock_whose_file_was_removed_while_one_waited_is_taken_anew(tmp_path, holder):
    def end(_):
        (tmp_path / "lock").unlink()
        holder.kill()

    with locked(tmp_path / "lock", end) as handle:
        assert os.path.samestat(os.fstat(handle), (tmp_path / "lock").stat())


def test_what_a_process_forks_does_not_hold_its_lock(tmp_path):
    reading, writing = os.pipe()
    with locked(tmp_path / "lock"):
        child = os.fork()
        if child == 0:
            os.write(writing, b"1")
            time.sleep(60)
            os._exit(0)
        assert os.read(reading, 1) == b"1"
    try:
        with locked(tmp_path / "lock", refuse) as handle:
            assert handle
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)


def test_a_folder_can_be_locked_and_the_kernel_knows_its_holder(tmp_path):
    with locked(tmp_path), pytest.raises(Busy, match=rf", process {os.getpid()}$"), locked(tmp_path, refuse):
        pass


def test_in_turn_keeps_its_lock_beside_what_is_made(tmp_path):
    with in_turn(tmp_path / "deep" / "made"):
        assert [p.name for p in (tmp_path / "deep").iterdir()] == ["made.lock"]


def test_a_file_in_memory_can_be_read_by_its_name_and_is_gone_afterwards():
    with in_memory(b"secret" * 100_000) as path, open(path, "rb") as stream:
        assert stream.read() == b"secret" * 100_000
    assert not os.path.exists(path)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_who_waits_says_for_whom(tmp_path, kind):
    place = tmp_path / "lock"
    place.mkdir() if kind == "folder" else place.touch()
    code = "import sys; from pathlib import Path; from hardway.io.lock import locked\n"
    code += "with locked(Path(sys.argv[1])): print('mine', flush=True); sys.stdin.read()"
    command, pipe = [sys.executable, "-c", code, str(place)], subprocess.PIPE
    with subprocess.Popen([*command, "the first"], stdin=pipe, stdout=pipe) as first:
        assert first.stdout.readline() == b"mine\n"
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as second:
            said = second.stderr.readline().decode()
            rest = second.stderr
            first.stdin.close()
            assert second.stdout.readline() == b"mine\n"
            second.stdin.close()
            while line := rest.readline().decode():
                said += line
    assert said.startswith("waiting for `")
    assert said.endswith(f"{place} 'the first'`, process {first.pid}\n")


def test_a_wait_for_another_thread_is_not_told(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(lock, "PATIENCE", 0.0)
    taken, waits = threading.Event(), threading.Event()

    def hold():
        with locked(tmp_path):
            taken.set()
            assert waits.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert taken.wait(60)
    threading.Timer(0.2, waits.set).start()
    with locked(tmp_path):
        assert waits.is_set()
    thread.join()
    assert capfd.readouterr().err == ""
