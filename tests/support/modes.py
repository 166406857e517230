"""Modes of files in the moment before they are changed: who opens a file then can read all that is written later."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from stat import S_IMODE
from typing import NamedTuple

from tests.support.forked import forked


class Changed(NamedTuple):
    """A file whose mode the program set: its name, its mode until then, and the one that it got."""

    name: str
    before: int
    after: int


def changed(call: Callable[[], object]) -> list[Changed]:
    """By a call in a process of its own, where every new file is everybody's unless the program says otherwise."""

    def watched() -> None:
        seen: list[Changed] = []
        os.umask(0)
        sys.addaudithook(lambda event, words: seen.append(_look(*words[:2])) if event == "os.chmod" else None)
        call()
        print("\n" + json.dumps(seen))

    done = forked(watched)
    assert done.returncode == 0, done.stderr
    return [Changed(*row) for row in json.loads(done.stdout.splitlines()[-1])]


def _look(file: int | str | os.PathLike[str], after: int) -> Changed:
    name = os.readlink(f"/proc/self/fd/{file}") if isinstance(file, int) else os.fspath(file)
    return Changed(name, S_IMODE(os.stat(file).st_mode), after)
