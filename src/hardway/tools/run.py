"""The only place that runs programs. A failure carries the command, ready to paste, and what it printed."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardway.model.errors import ToolError

LAST_LINES = 12


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
    words = tuple(command)
    try:
        done = subprocess.run(
            words, input=stdin, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except FileNotFoundError:
        raise ToolError(f"{words[0]}: there is no such program.\n    fix: install it, or put it on PATH") from None
    except subprocess.TimeoutExpired:
        raise ToolError(f"{shlex.join(words)}: no answer after {seconds:.0f} s") from None
    return Done(command=words, code=done.returncode, output=done.stdout, errors=done.stderr)


def follow(
    command: Sequence[str],
    *,
    line: Callable[[str], None],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Run a program that takes long, and hand on each line it prints, of either kind, as it comes."""
    words = tuple(command)
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
        raise ToolError(f"{words[0]}: there is no such program.\n    fix: install it, or put it on PATH") from None
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
