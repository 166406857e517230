"""What the lower layers tell whoever listens: which programs run, which files are written, and what is waited for.

Nobody listens at first: then steps are silent, and a wait is one line on standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Literal

from hardway.io.harmless import harmless

Kind = Literal["run", "write", "fetch"]


@contextmanager
def printed(reason: str) -> Iterator[None]:
    """A wait as one line."""
    print(harmless(reason), file=sys.stderr, flush=True)
    yield


_listener: Callable[[Kind, str], None] | None = None
_waiting: Callable[[str], AbstractContextManager[None]] = printed


def listen(
    *, steps: Callable[[Kind, str], None] | None, waits: Callable[[str], AbstractContextManager[None]] = printed
) -> None:
    """From now on; `steps` is None for whoever does not want to know."""
    global _listener, _waiting
    _listener, _waiting = steps, waits


def step(kind: Kind, what: object) -> None:
    """`what` must hold no secret: a command line, a path, or an address without its query."""
    if _listener is not None:
        _listener(kind, str(what))


def waiting(reason: str) -> AbstractContextManager[None]:
    """Around a wait for somebody else."""
    return _waiting(reason)
