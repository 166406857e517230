"""What commands have printed, for a page that is opened again: in memory, without secrets, and only so much of it."""

from __future__ import annotations

from threading import Lock
from typing import Any

from hardway.model.entropy import SystemEntropy

COMMANDS = 50
LONGEST = 50_000  # characters of one
CUT = "\n(the rest is not kept)"


class Printed:
    """The last result of each command."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Any]] = {}
        self._lock = Lock()

    def keep(self, command: str, result: dict[str, Any]) -> None:
        """The command that was run longest ago gives way."""
        text = result["printed"]
        kept = text if len(text) <= LONGEST else text[:LONGEST] + CUT
        at = SystemEntropy().now().isoformat(timespec="seconds")
        with self._lock:
            self._kept.pop(command, None)
            self._kept[command] = {**result, "printed": kept, "at": at}
            while len(self._kept) > COMMANDS:
                del self._kept[next(iter(self._kept))]

    def all(self) -> dict[str, dict[str, Any]]:
        """By command; a cut text says so."""
        with self._lock:
            return dict(self._kept)
