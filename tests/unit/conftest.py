"""A pure test starts Python, git, a shell and what it wrote itself, and nothing else: it runs on any machine.

PATH is cut down to these, so that a test answers alike with and without the machine's servers installed, and a program
that is called by its full path is refused. A test that needs more belongs into tests/real.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import bcrypt
import pytest

SHELL = "git sh bash env cat chmod cmp cp cut date find grep head ln ls mkdir mv rm sed sha256sum sleep sort stat tail"
PROGRAMS = (*SHELL.split(" "), "timeout", "touch", "tr", "wc")
STARTS = {"subprocess.Popen", "os.posix_spawn", "os.exec"}
_BARE = tempfile.TemporaryDirectory(prefix="hardway-bare-")
_watched = False


def _fill(folder: Path) -> set[Path]:
    found = {name: program for name in PROGRAMS if (program := shutil.which(name))}
    for name, program in found.items():
        (folder / name).symlink_to(program)
    return {Path(program).resolve() for program in (sys.executable, *found.values())}


ALLOWED = _fill(Path(_BARE.name))
WRITTEN = Path(tempfile.gettempdir()).resolve()


def _watch(event: str, words: tuple[Any, ...]) -> None:
    if not _watched or event not in STARTS:
        return
    name = os.fsdecode(words[0])
    path = ((words[3] if event == "subprocess.Popen" else None) or os.environ).get("PATH")
    program = shutil.which(name, path=path)
    if program and not (Path(program).resolve() in ALLOWED or WRITTEN in Path(program).resolve().parents):
        raise AssertionError(f"a test in tests/unit starts {program}; fix: move the test to tests/real")


sys.addaudithook(_watch)

bcrypt.hashpw, bcrypt.checkpw = cache(bcrypt.hashpw), cache(bcrypt.checkpw)
"""Slow by design, and asked the same a hundred times: every tree has the same password."""


gc.disable()


def pytest_collection_finish() -> None:
    """What was collected stays until the end: no need to look for garbage in it, neither meanwhile nor later."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """pytest asks for every test, also for those of other folders."""
    global _watched
    if not item.path.is_relative_to(Path(__file__).parent):
        return (yield)
    path = os.environ["PATH"]
    os.environ["PATH"], _watched = _BARE.name, True
    try:
        return (yield)
    finally:
        os.environ["PATH"], _watched = path, False
