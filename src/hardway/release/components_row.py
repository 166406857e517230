"""A row of the component table, and the short spelling that its files use."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hardway.model.why import Why, because


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    name: str  # as `image-for` knows it
    family: str
    why: Why  # what it is for; its readers are who runs it; its source is the repository it is built from


def image(name: str, source: str, what: str, runs: str = "") -> Component:
    return Component(name=name, family="", why=because(what, readers=runs, source=source))


def family(title: str, *rows: Component, runs: str, breaks: str) -> tuple[Component, ...]:
    """Images that belong together: what a row leaves open is what the family says."""
    outer = because("", readers=runs, breaks=breaks)
    return tuple(replace(row, family=title, why=row.why.within(outer)) for row in rows)
