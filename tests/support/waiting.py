"""Waiting for something that must come true, for longer where the machine is busy."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardway.tools.patience import Patience

PAUSE = 0.2


def until(what: Callable[[], object], explanation: Callable[[], str] = str, *, seconds: float = 180) -> None:
    """If it does not come true, the explanation is what there is to see instead: a program's log, say."""
    patience = Patience(seconds)
    while not what():
        assert not patience.ended(), explanation() or "it did not become true"
        time.sleep(PAUSE)
