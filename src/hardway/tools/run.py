"""The only place that runs programs. A failure carries the command, ready to paste, and what it printed."""

from __future__ import annotations

import os
import resource
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Thread
from typing import IO, NoReturn

from hardway.io import trace
from hardway.model.errors import ToolError
from hardway.tools.patience import Patience

LAST_LINES = 12
LONGEST = 1 << 16  # characters of a line that are handed on at once
TURN = 2.0  # seconds between two looks at a program that does not end
MOST_PRINTED = 64 << 20
"""Bytes that a program may print where all of it is kept: one that runs on a node may print without end."""


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


def become(command: Sequence[str]) -> NoReturn:
    """This process is that program from here on: its input, its terminal and its exit code are ours."""
    sys.stdout.flush()
    os.execvp(command[0], list(command))  # noqa: S606  (no shell is meant)


def attempt(
    command: Sequence[str],
    *,
    stdin: str | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float = 120,
    limits: Mapping[int, int] | None = None,
) -> Done:
    """Run a program and look at the result oneself; only a program that is missing or hangs is an error. `limits` are
    the kernel's (RLIMIT_…): a program that goes beyond one is ended by a signal."""
    words, pipe = tuple(command), subprocess.PIPE
    trace.step("run", shlex.join(words))
    try:
        with _readable(stdin) as given:
            process = subprocess.Popen(
                words,
                stdin=given,
                stdout=pipe,
                stderr=pipe,
                env=environment,
                preexec_fn=partial(_limit, limits) if limits else None,
            )
    except FileNotFoundError:
        raise ToolError(f"{words[0]}: program not found.\n    fix: install it, or put it on PATH") from None
    with process:
        try:
            output, errors = _printed(process, Patience(seconds))
        except subprocess.TimeoutExpired:
            process.kill()
            raise ToolError(f"{shlex.join(words)}: no answer after {seconds:.0f} s") from None
        except _TooMuch:
            process.kill()
            raise ToolError(f"{shlex.join(words)}: printed more than {MOST_PRINTED >> 20} MiB, and was ended") from None
        except BaseException:
            process.kill()
            raise
    return Done(command=words, code=process.returncode, output=output, errors=errors)


def _limit(limits: Mapping[int, int]) -> None:
    for name, most in limits.items():
        resource.setrlimit(name, (most, most))


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


class _TooMuch(Exception):
    """More than is kept."""


def _printed(process: subprocess.Popen[bytes], patience: Patience) -> tuple[str, str]:
    """Its output and its errors, once it has ended by itself."""
    assert process.stdout is not None
    assert process.stderr is not None
    output, errors, turn = bytearray(), bytearray(), _Turns(process, patience)
    with selectors.DefaultSelector() as open_ones:
        open_ones.register(process.stdout, selectors.EVENT_READ, output)
        open_ones.register(process.stderr, selectors.EVENT_READ, errors)
        while open_ones.get_map():
            for key, _ in open_ones.select(TURN):
                if part := os.read(key.fd, LONGEST):
                    key.data.extend(part)
                else:
                    open_ones.unregister(key.fileobj)
            if len(output) + len(errors) > MOST_PRINTED:
                raise _TooMuch
            turn.look()
    while process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(TURN)
        turn.look()
    return _text(output), _text(errors)


class _Turns:
    """Looks at the time now and then."""

    def __init__(self, process: subprocess.Popen[bytes], patience: Patience) -> None:
        self.process, self.patience = process, patience
        self.due = time.monotonic() + TURN

    def look(self) -> None:
        if time.monotonic() < self.due:
            return
        self.due = time.monotonic() + TURN
        if self.patience.ended():
            raise subprocess.TimeoutExpired(self.process.args, TURN)


def _text(printed: bytearray) -> str:
    """With lines that end in a newline, whatever they end in."""
    return TextIOWrapper(BytesIO(printed), encoding="utf-8", errors="replace").read()


def follow(
    command: Sequence[str],
    *,
    line: Callable[[str], None],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    keep: int | None = None,
) -> Done:
    """Run a program that takes long, and hand on each line it prints, of either kind, as it comes. `keep`: how many of
    them the result has, if it may print more than fits in memory."""
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
    lines: deque[str] = deque(maxlen=keep)
    with process:
        assert process.stdout is not None
        try:
            while text := process.stdout.readline(LONGEST):
                lines.append(text)
                line(text.rstrip("\n"))
        except BaseException:
            process.terminate()
            raise
    return Done(command=words, code=process.returncode, output="".join(lines), errors="")


def through(command: Sequence[str], blocks: Iterable[bytes], *, found: Collection[int] = (0,)) -> Iterator[bytes]:
    """Run a filter: hand it the blocks, and hand on what it prints line by line, both at the same time. `found`: the
    exit codes that are no failure."""
    words = tuple(command)
    trace.step("run", shlex.join(words))
    process = subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "LC_ALL": "C"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    failures: list[BaseException] = []
    feeding = Thread(target=_feed, args=(blocks, process.stdin, failures), daemon=True)
    with process:
        feeding.start()
        try:
            while line := process.stdout.readline(LONGEST):
                yield line
        except BaseException:
            process.kill()
            raise
        feeding.join()
    if failures:
        raise failures[0]
    if process.returncode not in found:
        raise ToolError(f"{words[0]} {_end(process.returncode)}.\n    command: {shlex.join(words)}")


def _feed(blocks: Iterable[bytes], to: IO[bytes], failures: list[BaseException]) -> None:
    try:
        with to:
            for block in blocks:
                to.write(block)
    except BrokenPipeError:
        pass  # the program's exit code tells why
    except BaseException as error:
        failures.append(error)


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
    return f"{done.command[0]} {_end(done.code)}.\n    command: {shlex.join(done.command)}\n{lines}"


def _end(code: int) -> str:
    return f"failed with exit code {code}" if code >= 0 else f"was ended by signal {-code} ({signal.strsignal(-code)})"
