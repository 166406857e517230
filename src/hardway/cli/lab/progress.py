"""Progress of the lab's long work on standard error, once it has taken two seconds."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

PATIENCE = 2.0
PAUSE = 10.0  # between plain lines, where there is no terminal


@contextmanager
def shown() -> Iterator[Callable[[str, int, int], None]]:
    """A terminal gets one line that changes; anything else a line now and then, and whenever the subject changes."""
    terminal = sys.stderr.isatty()
    begun = time.monotonic()
    last = ("", 0.0)  # subject, when

    def show(what: str, done: int, total: int) -> None:
        nonlocal last
        now, subject = time.monotonic(), what.partition(":")[0]
        if now - begun < PATIENCE:
            return
        text = f"{what} ({done} of {total})" if total else what
        if terminal:
            click.echo(f"\r\033[K{text[: shutil.get_terminal_size().columns - 1]}", nl=False, err=True)
        elif subject != last[0] or now - last[1] >= PAUSE:
            last = (subject, now)
            click.echo(text, err=True)

    try:
        yield show
    finally:
        if terminal and time.monotonic() - begun >= PATIENCE:
            click.echo("\r\033[K", nl=False, err=True)
