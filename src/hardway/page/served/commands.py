"""The commands that a page may run: a table, and no shell. They read the folder, and change none of its artifacts."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardway.gather.secrets import Secrets
from hardway.model.errors import HardwayError
from hardway.tools.run import attempt

STAGE = re.compile(r"[01]?\d(-[a-z-]+)?|[a-z-]+")
ADDRESS = re.compile(r"[A-Za-z0-9][\w./#:@\[\]*,-]*")
NUMBER = re.compile(r"[01]?\d|[a-z-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    name: str
    words: re.Pattern[str] | None = None  # what each argument must be; None: there is none
    options: tuple[str, ...] = ()
    why: str


TABLE: tuple[Allowed, ...] = (
    Allowed(name="status", why="reads the folder and its record, and asks machines outside the lab"),
    Allowed(name="verify", words=STAGE, options=("--list",), why="reads files; remembers for `status` what it found"),
    Allowed(name="doctor", why="reads files, and asks a lab that is up"),
    Allowed(name="explain", words=ADDRESS, options=("--list",), why="reads tables"),
    Allowed(name="graph", words=ADDRESS, why="reads tables"),
    Allowed(name="guide", words=NUMBER, options=("--no-pager",), why="reads a chapter"),
    Allowed(name="compare", why="reads both sides of a comparison"),
    Allowed(name="bootkube", options=("--list",), why="reads a table"),
)
BY_NAME = {row.name: row for row in TABLE}
SECONDS = 120


def words_of(command: str) -> tuple[str, ...] | None:
    """The words of a command that may be run; None of any other."""
    try:
        program, name, *rest = shlex.split(command)
    except ValueError:
        return None
    row = BY_NAME.get(name)
    if program != "hardway" or row is None or shlex.join((program, name, *rest)) != " ".join(command.split()):
        return None
    fits = all(word in row.options if word.startswith("-") else _fits(row, word) for word in rest)
    needed = name != "bootkube" or rest == ["--list"]
    return (name, *rest) if fits and needed else None


def _fits(row: Allowed, word: str) -> bool:
    return row.words is not None and row.words.fullmatch(word) is not None and ".." not in word


def run(words: tuple[str, ...], folder: Path, secrets: Secrets) -> dict[str, Any]:
    """What it printed, without secrets. Modules come from where Python has them, and never from this folder (-P)."""
    program = (sys.executable, "-P", "-m", "hardway", "-C", str(folder), "--color", "never")
    try:
        done = attempt((*program, *words), stdin="", seconds=SECONDS)
        printed, code = done.output + done.errors, done.code
    except HardwayError as error:
        printed, code = str(error), error.exit_code
    return {"printed": secrets.without(printed.encode()).decode(), "code": code}
