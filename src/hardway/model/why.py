"""A reason: what a value is for, who reads it, what breaks without it, and where that is known from."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    what: str
    readers: str = ""
    breaks: str = ""
    source: str = ""

    def within(self, outer: Why) -> Why:
        """The same reason, with what it leaves open taken from the thing it is part of."""
        return replace(
            self,
            readers=self.readers or outer.readers,
            breaks=self.breaks or outer.breaks,
            source=self.source or outer.source,
        )


def because(what: str, *, breaks: str = "", readers: str = "", source: str = "") -> Why:
    """The short spelling that the tables use."""
    return Why(what=what, breaks=breaks, readers=readers, source=source)
