"""A build killed at any moment can be run again: nothing is half-written and no key changes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.table import TABLE
from hardway.model.check import run
from hardway.model.entropy import SystemEntropy
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.hardway_program import COMMAND
from tests.support.trees import write_folder

KILLED = """
import os, signal, sys

CHANGES = ("os.mkdir", "os.chmod", "os.rename", "os.remove")
left = int(sys.argv.pop(1))


def watch(event, words):
    global left
    writes = event == "open" and words[2] & (os.O_WRONLY | os.O_RDWR)
    if writes or event in CHANGES:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


sys.addaudithook(watch)
from hardway.cli.main import main

main()
"""
"""The program, which dies when it is about to change something on the disk for the nth time. A file is opened, given
its mode and renamed, and what is to be noted is noted before: between any two of these."""
MOST = 220  # changes before a kill; a whole build has six times as many
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def killed_before(folder: Path, change: int) -> int:
    """The exit code; below zero if it was killed."""
    return subprocess.run(
        [sys.executable, "-B", "-c", KILLED, str(change), "-C", folder, "build"], check=False, **QUIET
    ).returncode


def killed_after(folder: Path, seconds: float) -> int:
    process = subprocess.Popen([*COMMAND, "-C", folder, "build"], **QUIET)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    return process.wait()


def snapshot(assets: Path) -> dict[str, bytes]:
    """Keys and certificates that are in place under their final names."""
    return {p.name: p.read_bytes() for p in assets.glob("tls/*") if not p.name.startswith(".")}


def killed_until_it_is_built(folder: Path, attempt: Callable[[int], int]) -> int:
    """Each attempt goes on where the one before was killed. How many it took."""
    before = snapshot(folder / "assets")
    for number in range(1, 500):
        code = attempt(number)
        after = snapshot(folder / "assets")
        assert {name: after.get(name) for name in before} == before, "a key or certificate changed silently"
        if code != -signal.SIGKILL:
            assert code == 0
            return number
        before = after
    raise AssertionError("it never came to its end")


def assert_sound(folder: Path, but_for: str = "") -> None:
    workspace = open_workspace(folder)
    world = Artifacts(root=workspace.store.root, cluster=workspace.loaded.cluster, now=SystemEntropy().now())
    assert [f for f in run(TABLE, world).findings if f.severity == "error" and f.check != but_for] == []
    leftovers = [p.name for p in workspace.store.root.rglob("*.part")]
    assert leftovers == []


@pytest.mark.parametrize("part", range(4))
def test_killed_between_any_two_changes_and_run_again(tmp_path, part):
    choice = random.Random(part)
    folder = write_folder(tmp_path, install_config(), keys="ecdsa-p256" if part else "rsa-2048")
    attempts = killed_until_it_is_built(folder, lambda _: killed_before(folder, choice.randint(1, MOST)))
    assert attempts > 5
    assert_sound(folder, but_for="operators.signing-keys" if part else "")  # not with ECDSA keys


def test_killed_by_the_clock_and_run_again(tmp_path):
    """Each time a little later, also while keys are being made and nothing is written."""
    folder = write_folder(tmp_path, install_config())
    killed_until_it_is_built(folder, lambda number: killed_after(folder, 0.1 * 1.4**number))
    assert_sound(folder)
