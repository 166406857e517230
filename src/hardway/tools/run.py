"""The only place that runs programs. A failure carries the command, ready to paste, and what it printed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hardway.io import trace
from hardway.model.errors import ToolError
from hardway.tools.patience import Patience

LAST_LINES = 12
TURN = 2.0  # seconds between two looks at a program that does not end


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A program that has ended."""

    command: tuple[str, ...]
    code: int
    output: str
    errors: str

    @property
    def ok(self) -> bool:
        return self.code == 0


def have(program: str) -> str | None:
    """Where the program is, if it is."""
    return shutil.which(program)


def attempt(
    command: Sequence[str],
    *,
    stdin: str | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float = 120,
) -> Done:
    """Run a program and look at the result oneself; only a program that is missing or hangs is an error."""
    words, pipe = tuple(command), subprocess.PIPE
    trace.step("run", shlex.join(words))
    try:
        with _readable(stdin) as given:
            process = subprocess.Popen(words, stdin=given, stdout=pipe, stderr=pipe, env=environment, text=True)
    except FileNotFoundError:
        raise ToolError(f"{words[0]}: program not found.\n    fix: install it, or put it on PATH") from None
    with process:
        try:
            output, errors = _printed(process, Patience(seconds))
        except subprocess.TimeoutExpired:
            process.kill()
            raise ToolError(f"{shlex.join(words)}: no answer after {seconds:.0f} s") from None
        except BaseException:
            process.kill()
            raise
    return Done(command=words, code=process.returncode, output=output, errors=errors)


@contextmanager
def _readable(text: str | None) -> Iterator[IO[str] | None]:
    """As a file in memory, so that nobody has to stand by while a program reads it."""
    if text is None:
        yield None
        return
    with os.fdopen(os.memfd_create("stdin"), "w+") as file:
        file.write(text)
        file.seek(0)
        yield file


def _printed(process: subprocess.Popen[str], patience: Patience) -> tuple[str, str]:
    """Its output and its errors, once it has ended by itself."""
    while True:
        try:
            return process.communicate(timeout=TURN)
        except subprocess.TimeoutExpired:
            if patience.ended():
                raise


def follow(
    command: Sequence[str],
    *,
    line: Callable[[str], None],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Run a program that takes long, and hand on each line it prints, of either kind, as it comes."""
    words = tuple(command)
    trace.step("run", shlex.join(words))
    try:
        process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise ToolError(f"{words[0]}: program not found.\n    fix: install it, or put it on PATH") from None
    lines: list[str] = []
    with process:
        assert process.stdout is not None
        try:
            for text in process.stdout:
                lines.append(text)
                line(text.rstrip("\n"))
        except BaseException:
            process.terminate()
            raise
    return Done(command=words, code=process.returncode, output="".join(lines), errors="")


def run(
    command: Sequence[str],
    *,
    stdin: str | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float = 120,
) -> str:
    """Run a program that must succeed; its output."""
    done = attempt(command, stdin=stdin, environment=environment, seconds=seconds)
    if not done.ok:
        raise ToolError(explain(done))
    return done.output


def explain(done: Done) -> str:
    said = (done.errors.strip() or done.output.strip() or "(nothing)").splitlines()[-LAST_LINES:]
    lines = "\n".join(f"    {line}" for line in said)
    return f"{done.command[0]} failed with exit code {done.code}.\n    command: {shlex.join(done.command)}\n{lines}"
