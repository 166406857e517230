"""A row of words: what a line of a log must contain to show a failure mode, and what decides where words do not.

An alternative is a text of parts, separated by ` ++ `, that must all be in the log's line; a part with `!` before it
must not. The first part is text that few other lines contain: lines without any of these are never looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

PARTS = " ++ "
FOREVER = 1 << 20
"""Minutes, of what is never a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    parts: tuple[bytes, ...]
    without: tuple[bytes, ...]

    def fits(self, line: bytes) -> bool:
        return all(part in line for part in self.parts) and not any(part in line for part in self.without)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    name: str
    modes: tuple[str, ...]  # one, or those between which the words do not decide
    alternatives: tuple[Alternative, ...]
    what: str  # what the line shows: a clause, which follows "shows that"
    decide: str = ""  # what would tell which it is, or whether it is normal, with the command that shows it
    minutes: int = 0  # for so long it is normal
    after: bytes = b""  # it means this only after a line with these words

    def fits(self, line: bytes) -> bool:
        return any(alternative.fits(line) for alternative in self.alternatives)


def words(
    name: str, modes: str, *alternatives: str, what: str, decide: str = "", minutes: int = 0, after: str = ""
) -> Words:
    return Words(
        name=f"log.{name}",
        modes=tuple(modes.split()),
        alternatives=tuple(map(_alternative, alternatives)),
        what=what,
        decide=decide,
        minutes=minutes,
        after=after.encode(),
    )


def _alternative(text: str) -> Alternative:
    parts = text.split(PARTS)
    return Alternative(
        parts=tuple(p.encode() for p in parts if not p.startswith("!")),
        without=tuple(p[1:].encode() for p in parts if p.startswith("!")),
    )
