"""With --verbose: programs that run, files that are written, addresses that are asked, each as a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import click

from hardway.cli.terminal.settings import chosen, on_terminal
from hardway.io import trace
from hardway.io.harmless import harmless


def listen(waits: Callable[[str], AbstractContextManager[None]] | None = None) -> None:
    """`waits` shows a wait; without it, there is no display to show it in."""
    trace.listen(steps=_printed if chosen.verbose else None, waits=waits or _waited)


def _printed(kind: str, what: str) -> None:
    click.echo(harmless(f"{kind:6} {what}"), err=True)


@contextmanager
def _waited(reason: str) -> Iterator[None]:
    if chosen.quiet:
        yield
    elif on_terminal(err=True):
        from hardway.cli.terminal.live import Live

        work = Live()
        try:
            with work.wait(reason):
                yield
        finally:
            work.done()
    else:
        with trace.printed(reason):
            yield
