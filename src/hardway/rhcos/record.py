"""What is known of installations: which were begun and which have ended, in a file that only the owner can read."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from hardway.graph.store import Store
from hardway.model.errors import ConfigError
from hardway.rhcos.medium import FOLDER

PATH = f"{FOLDER}/installed.json"
State = Literal["begun", "installed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    state: State
    at: str
    console: int  # where in the console's log it began
    way: str  # iso or server


class Record:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[str, Entry] = {}
        self._load()

    def _load(self) -> None:
        """Again before each change: two installations may be under way, each of its own machines."""
        try:
            rows: dict[str, Any] = json.loads(self._store.read(PATH) or b"{}")
            self._entries = {str(node): Entry(**row) for node, row in rows.items()}
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise ConfigError(
                f"{self._store.root / PATH} is damaged, so it is not known what was installed.\n"
                "    fix: remove it; machines with something on their disk then need --again"
            ) from None

    def get(self, node: str) -> Entry | None:
        return self._entries.get(node)

    def put(self, node: str, entry: Entry) -> None:
        self._load()
        self._entries[node] = entry
        self._save()

    def forget(self, node: str) -> None:
        self._load()
        if self._entries.pop(node, None):
            self._save()

    def _save(self) -> None:
        rows = {node: asdict(entry) for node, entry in self._entries.items()}
        self._store.write(PATH, json.dumps(rows, indent=1, sort_keys=True).encode(), 0o600)
