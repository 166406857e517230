"""What an expected difference says, and what a found one."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any

from hardway.compare.certificates import bare
from hardway.compare.installer.addresses import Addresses

Accept = Callable[[Any, Any], bool]
ABSENT = "absent"
PRESENT = "present"


def whatever(theirs: Any, ours: Any) -> bool:
    return True


def is_ours_alone(theirs: Any, ours: Any) -> bool:
    return bool(theirs == ABSENT and ours == PRESENT)


def is_absent_here(theirs: Any, ours: Any) -> bool:
    return bool(theirs == PRESENT and ours == ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One difference that is meant. In path and aspect, `*` stands for any text and `|` is between alternatives."""

    name: str
    path: str
    aspect: str
    why: str
    accept: Accept = whatever
    added: Callable[[Addresses], Set[str]] | None = None  # the names that ours has beside all of theirs

    def matches(self, path: str, aspect: str, theirs: Any, ours: Any, known: Addresses) -> bool:
        if not (_like(self.path, path) and _like(self.aspect, aspect) and self.accept(theirs, ours)):
            return False
        return self.added is None or _is_more_by(theirs, ours, self.added(known))


def _like(pattern: str, text: str) -> bool:
    return any(re.fullmatch(".*".join(map(re.escape, one.split("*"))), text) for one in pattern.split("|"))


def _is_more_by(theirs: Any, ours: Any, extra: Set[str]) -> bool:
    """Whether ours is all of theirs and just these; a description does not tell of which type a name is."""
    if not isinstance(theirs, tuple) or not isinstance(ours, tuple) or not set(theirs) < set(ours):
        return False
    return {bare(name) for name in set(ours) - set(theirs)} == extra


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    path: str
    aspect: str  # file, mode, place, unit, certificate[0].sans, spec.baseDomain, …
    theirs: Any
    ours: Any
    row: Row | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "aspect": self.aspect,
            "theirs": self.theirs,
            "ours": self.ours,
            "row": self.row.name if self.row else None,
            "why": self.row.why if self.row else None,
        }
