"""Ctrl-C between any two changes of the disk: what is there is whole, and the same command goes on."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from hardway.cli.main import main
from hardway.workspace.folder import example
from tests.support.forked import forked, hardway
from tests.support.release.files import write_version

CHANGES = ("os.mkdir", "os.chmod", "os.rename", "os.remove", "os.rmdir", "os.link")


def interrupted(words: list[str | Path], change: int) -> CompletedProcess[str]:
    """The program, with Ctrl-C when it is about to change something for the nth time."""

    def call() -> None:
        left = change

        def watch(event: str, given: tuple[Any, ...]) -> None:
            nonlocal left
            writes = event == "open" and isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR)
            if event in CHANGES or (writes and not str(given[0]).startswith(("/dev/", "/proc/"))):
                left -= 1
                if left == 0:
                    signal.raise_signal(signal.SIGINT)

        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv = ["hardway", *map(str, words)]
        sys.addaudithook(watch)
        main()

    return forked(call)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def all_or_none(left: dict[str, bytes], whole: dict[str, bytes]) -> bool:
    return left in ({}, whole)


def each_whole(left: dict[str, bytes], whole: dict[str, bytes]) -> bool:
    return left.items() <= whole.items()


def complete_names(left: dict[str, bytes], whole: dict[str, bytes]) -> bool:
    """Where each run has ids and times of its own."""
    return left.keys() <= whole.keys()


COMMANDS: dict[str, tuple[str, Callable[[dict[str, bytes], dict[str, bytes]], bool]]] = {
    "init": ("init HERE/made", all_or_none),
    "network": ("-C HERE network files --to HERE/made", each_whole),
    "extract": ("release extract oci:HERE/oci --to HERE/made", all_or_none),
    "crds": ("release crds oci:HERE/oci --to HERE/made --all", all_or_none),
    "build": ("-C HERE/made build 03 06", complete_names),
}


STRIDES = {"network": 3, "build": 37}  # not every change: each costs a second


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "install-config.yaml").write_text(example("install-config.yaml"))
    write_version(tmp_path / "oci", "4.18.7")
    return tmp_path


def prepared(place: Path, name: str) -> list[str | Path]:
    """An empty beginning, and the words of the command."""
    shutil.rmtree(place / "made", ignore_errors=True)
    if name == "build":
        (place / "made").mkdir()
        (place / "made/install-config.yaml").write_text(example("install-config.yaml"))
        (place / "made/hardway.yaml").write_text("keys: ecdsa-p256\n")
    return [word.replace("HERE", str(place)) for word in COMMANDS[name][0].split()]


@pytest.mark.parametrize("name", COMMANDS)
def test_what_an_interrupted_command_leaves_is_whole(place: Path, name: str):
    sound = COMMANDS[name][1]
    words = prepared(place, name)
    assert hardway(*words).returncode == 0
    whole = tree(place / "made")
    around = {path.name for path in place.iterdir()}
    for change in count(1, STRIDES.get(name, 1)):
        words = prepared(place, name)
        done = interrupted(words, change)
        left = tree(place / "made")
        assert sound(left, whole), f"after change {change}: {sorted(left)}"
        assert {path.name for path in place.iterdir()} <= around, f"after change {change}"
        if done.returncode == 0:
            break
        assert (done.returncode, done.stderr.lstrip()[:12]) == (130, "interrupted;"), done.stderr
        if name in ("network", "build"):
            assert hardway(*words).returncode == 0
    assert change > 5
