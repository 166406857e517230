"""Work that takes time. A command says what begins, how far it is and what it waits for; this decides how it looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Literal, Protocol

from hardway.cli.terminal.settings import chosen, on_terminal

if TYPE_CHECKING:
    from hardway.pipeline.build import Watchers

Unit = Literal["steps", "bytes", "files"]
Count = Callable[[str, int, int], None]


class Work(Protocol):
    """What is told. A text is `subject: detail`, and all that is told of one subject is one row."""

    def begin(self, what: str) -> None:
        """Something of which nobody can say how far it is."""

    def advance(self, what: str, done: int, total: int, unit: Unit = "steps") -> None:
        """The total is 0 as long as it is not known."""

    def wait(self, reason: str) -> AbstractContextManager[None]:
        """Around a wait for somebody else."""

    def done(self) -> None:
        """There is nothing more to show."""


class Silent:
    """With --quiet."""

    def begin(self, what: str) -> None: ...

    def advance(self, what: str, done: int, total: int, unit: Unit = "steps") -> None: ...

    @contextmanager
    def wait(self, reason: str) -> Iterator[None]:
        yield

    def done(self) -> None: ...


@contextmanager
def working() -> Iterator[Work]:
    """On standard error: rows that move on a terminal, lines elsewhere."""
    work = _work()
    try:
        with told_of_waits(work):
            yield work
    finally:
        work.done()


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Around work that says nothing of itself: a terminal shows what is going on, and nobody else is told."""
    if chosen.quiet or not on_terminal(err=True):
        yield
        return
    with working() as work:
        work.begin(what)
        yield


def _work() -> Work:
    if chosen.quiet:
        return Silent()
    if on_terminal(err=True):
        from hardway.cli.terminal.live import Live

        return Live()
    from hardway.cli.terminal.plain import Plain

    return Plain()


@contextmanager
def told_of_waits(work: Work) -> Iterator[None]:
    """A wait for a lock, wherever it happens, is shown with the rest."""
    from hardway.cli.terminal import steps

    steps.listen(work.wait)
    try:
        yield
    finally:
        steps.listen()


def in_bytes(work: Work) -> Count:
    return lambda what, done, total: work.advance(what, done, total, "bytes")


def watchers(work: Work) -> Watchers:
    """Of a build."""
    from hardway.pipeline.build import Watchers

    def made(what: str, done: int, total: int) -> None:
        work.advance(what, done, total, "files")

    return Watchers(made=made, fetched=in_bytes(work), say=work.begin)
