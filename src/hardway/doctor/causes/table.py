"""The whole table, and the way from a cause to an effect."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection
from functools import cache

from hardway.doctor.causes.defects import DEFECTS
from hardway.doctor.causes.modes import MODES
from hardway.doctor.causes.row import Leads

TABLE: tuple[Leads, ...] = (*MODES, *DEFECTS)


@cache
def effects() -> dict[str, tuple[Leads, ...]]:
    """The rows of each cause."""
    found: dict[str, list[Leads]] = defaultdict(list)
    for row in TABLE:
        found[row.cause].append(row)
    return {cause: tuple(rows) for cause, rows in found.items()}


def way(cause: str, ends: Collection[str]) -> tuple[Leads, ...] | None:
    """The shortest way from the cause to one of these effects; empty if the cause is one itself."""
    ways: dict[str, tuple[Leads, ...]] = {cause: ()}
    queue = deque([cause])
    while queue:
        here = queue.popleft()
        if here in ends:
            return ways[here]
        for row in effects().get(here, ()):
            if row.effect not in ways:
                ways[row.effect] = (*ways[here], row)
                queue.append(row.effect)
    return None
