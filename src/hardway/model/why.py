"""A reason: what a value is for, who reads it, what breaks without it, and where that is known from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    what: str
    readers: str = ""
    breaks: str = ""
    source: str = ""

    def within(self, outer: Why) -> Why:
        """The same reason; readers and source that it does not name are those of the thing it is part of.

        `breaks` is never taken over: what fails without the whole says nothing about one of its parts.
        """
        readers, source = self.readers or outer.readers, self.source or outer.source
        if (readers, source) == (self.readers, self.source):
            return self
        return Why(what=self.what, readers=readers, breaks=self.breaks, source=source)


def because(what: str, *, breaks: str = "", readers: str = "", source: str = "") -> Why:
    """The short spelling that the tables use."""
    return Why(what=what, breaks=breaks, readers=readers, source=source)
