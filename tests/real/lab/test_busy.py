"""What a process still uses when a lab is removed: mounts and control groups of the kernel itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from contextlib import contextmanager

import pytest

from hardway.lab import cgroups, mounts
from hardway.lab.paths import lab_paths
from hardway.model.errors import ToolError
from tests.support.waiting import until


@contextmanager
def ended_later(process, seconds=0.5):
    """A process that goes by itself, some time after it was looked at first."""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.join()
        process.wait()


@pytest.fixture
def used(tmp_path):
    """A mount, and a process whose working directory is on it."""
    place = tmp_path / "mounted"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "none", place], check=True)
    process = subprocess.Popen(["sleep", "600"], cwd=place)
    yield tmp_path, process
    process.kill()
    process.wait()
    subprocess.run(["umount", "--quiet", place], check=False)


def test_a_mount_goes_when_who_uses_it_has_gone(used):
    folder, process = used
    with ended_later(process):
        mounts.remove_below(folder)
    assert mounts.below(folder) == []


def test_a_mount_that_stays_busy_goes_out_of_sight(used, monkeypatch):
    folder, process = used
    monkeypatch.setattr(mounts, "SECONDS", 0.1)
    mounts.remove_below(folder)
    assert mounts.below(folder) == []
    assert process.poll() is None
    shutil.rmtree(folder / "mounted")


@pytest.fixture
def grouped(tmp_path):
    """A lab with one group, and a process in it."""
    lab = lab_paths(f"b{os.getpid()}", tmp_path)
    groups = cgroups.make(lab, "busy")
    process = subprocess.Popen(["sleep", "600"])
    for group in groups:
        (group / "cgroup.procs").write_text(str(process.pid))
    yield lab, process
    process.kill()
    process.wait()
    until(lambda: not cgroups.members(lab))
    cgroups.remove(lab)


def test_a_group_goes_when_its_last_process_has_gone(grouped):
    lab, process = grouped
    with ended_later(process):
        cgroups.remove(lab, "busy")
    assert not any(group.exists() for group in cgroups.groups(lab, "busy"))


def test_a_group_that_stays_busy_is_named(grouped, monkeypatch):
    lab, _ = grouped
    monkeypatch.setattr(cgroups, "SECONDS", 0.1)
    with pytest.raises(ToolError, match=rf"/{lab.name}/busy: Device or resource busy\.\n    fix: try again"):
        cgroups.remove(lab, "busy")


def test_processes_are_ended_and_none_besides(grouped):
    lab, process = grouped
    other = subprocess.Popen(["sleep", "600"])
    cgroups.end(lab)
    assert process.wait() == -9
    assert other.poll() is None
    other.kill()
    other.wait()


def test_as_long_as_they_become_fewer_the_wait_goes_on_and_who_is_left_is_named(grouped, monkeypatch):
    """One process goes each time, and the last one never: together they take longer than one of them may."""
    lab, process = grouped
    others = [subprocess.Popen(["sleep", "600"]) for _ in range(5)]
    for other in others:
        for group in cgroups.groups(lab, "busy"):
            (group / "cgroup.procs").write_text(str(other.pid))
    dying = iter(others)

    def kill(pid):
        if pid == process.pid and (one := next(dying, None)):
            one.kill()
            one.wait()

    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(cgroups, "SECONDS", 0.3)
    monkeypatch.setattr(cgroups, "PAUSE", 0.2)
    monkeypatch.setattr(cgroups, "_kill", kill)
    with pytest.raises(ToolError, match=rf"some processes do not end: {process.pid}\."):
        cgroups.end(lab)
