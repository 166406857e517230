"""A start that is killed on the way: what it left can be removed, or taken up again, by reading the machine."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from hardway.lab import node, removal
from tests.lab.machines import lab_place, networking, traces
from tests.support.clusters import install_config
from tests.support.trees import build_folder, write_folder
from tests.support.waiting import until


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("cluster")
    build_folder(write_folder(place, install_config(masters=1, workers=0, networking=networking())))
    return place


def begin(paths, folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-m", "tests.lab.interrupted", paths.name, str(paths.folder), str(folder)]
    found = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, start_new_session=True, text=True)
    assert found.stdout.readline() == "ready\n"
    return found


def kill(process):
    """It alone; the program that it was just waiting for comes to its own end."""
    process.kill()
    process.wait()
    until(lambda: not alive(process.pid), lambda: "a program that it started does not end")


def alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("seconds", [0.1, 0.4, 0.8, 1.3, 2.0])
def test_what_a_killed_start_left_can_be_removed(folder, seconds):
    with lab_place(f"x{os.getpid()}") as paths:
        process = begin(paths, folder)
        time.sleep(seconds)
        kill(process)
        removal.remove(paths)
        assert traces(paths) == []


def test_a_killed_start_can_be_taken_up_again(folder):
    with lab_place(f"y{os.getpid()}") as paths:
        for seconds in (0.2, 0.6, 1.0, 1.4):
            process = begin(paths, folder)
            time.sleep(seconds)
            kill(process)
        process = begin(paths, folder)
        output, _ = process.communicate()
        assert (output, process.returncode) == ("up\n", 0)
        assert node.state(paths, "bootstrap") in node.UP
        assert node.state(paths, "master-0") in node.UP
    assert traces(paths) == []
