"""A build killed at any moment can be run again: nothing is half-written and no key changes."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hardway.checks.engine import World, run
from hardway.checks.table import TABLE
from hardway.model.entropy import SystemEntropy
from hardway.stages.workspace import open_workspace
from tests.support.clusters import install_config
from tests.support.trees import write_folder

BUILD = [sys.executable, "-c", "from hardway.cli.main import main; main()"]
POINTS = 50


def snapshot(assets: Path) -> dict[str, bytes]:
    """Keys and certificates that are in place under their final names."""
    return {p.name: p.read_bytes() for p in assets.glob("tls/*") if not p.name.startswith(".")}


def kill_after(folder: Path, seconds: float) -> None:
    process = subprocess.Popen([*BUILD, "-C", folder, "build"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="module")
def whole_build_seconds(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("whole"), install_config())
    started = time.monotonic()
    subprocess.run([*BUILD, "-C", folder, "build"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - started


@pytest.mark.parametrize("part", range(5))
def test_killed_and_run_again(tmp_path, whole_build_seconds, part):
    choice = random.Random(part)
    for point in range(POINTS // 5):
        folder = write_folder(tmp_path / str(point), install_config())
        kill_after(folder, choice.uniform(0.05, whole_build_seconds))
        before = snapshot(folder / "assets")
        subprocess.run(
            [*BUILD, "-C", folder, "build"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        after = snapshot(folder / "assets")
        assert {name: after[name] for name in before} == before, "a key or certificate changed silently"
        assert_sound(folder)
        shutil.rmtree(folder)


def assert_sound(folder: Path) -> None:
    workspace = open_workspace(folder)
    world = World(root=workspace.store.root, cluster=workspace.loaded.cluster, now=SystemEntropy().now())
    assert [f for f in run(TABLE, world).findings if f.severity == "error"] == []
    leftovers = [p.name for p in workspace.store.root.rglob("*.part")]
    assert leftovers == []
