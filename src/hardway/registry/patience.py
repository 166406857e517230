"""Trying again what is likely to pass, a few times, with longer and longer pauses."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from hardway.registry.errors import Passing

PAUSES = (0.25, 0.5, 1.0)
LONGEST = 30.0  # a server's Retry-After is respected up to here

Result = TypeVar("Result")


def patiently(action: Callable[[], Result]) -> Result:
    for pause in PAUSES:
        try:
            return action()
        except Passing as error:
            time.sleep(max(pause, min(error.after, LONGEST)))
    return action()
