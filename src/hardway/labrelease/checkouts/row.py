"""A component that can come from a checkout: how it is compiled, what is packed, and what goes into the payload."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.labrelease.components.row import Component
from hardway.labrelease.images import table as images
from hardway.labrelease.images.table import Image, Own, Set
from hardway.labrelease.payload import sources
from hardway.labrelease.payload.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """`images`, `sources` and `operators` are what it adds to a set. A pinned component adds none: the tables have
    its rows, and only its programs and files come from elsewhere."""

    component: Component
    images: tuple[Image, ...] = ()
    sources: tuple[Source, ...] = ()
    operators: tuple[str, ...] = ()  # ClusterOperators that it reports on, in place of the lab's operator
    described: str = ""  # the text of the file that describes it; empty for a row of the table

    @property
    def name(self) -> str:
        return self.component.name

    @property
    def sets(self) -> tuple[Set, ...]:
        """Those that it can be part of."""
        found = tuple(chosen for chosen in images.SETS if self.name in images.components(chosen))
        return found if found else ("operators",)

    @property
    def packed(self) -> tuple[Image, ...]:
        """Every image that has something of it."""
        known = (row for row in images.TABLE if any(_of(part, self.name) for part in row.parts))
        return (*known, *self.images)

    @property
    def brought(self) -> tuple[Source, ...]:
        """Where its manifests for the payload are."""
        return (*(row for row in sources.TABLE if row.component == self.name), *self.sources)


def _of(part: images.Part, name: str) -> bool:
    return not isinstance(part, Own) and part.component == name
