"""A row of the component table, and the short spelling that its files use."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hardway.model.why import Why, because


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    name: str  # as `image-for` knows it
    family: str
    why: Why  # what it is for; its readers are who runs it; its source is the repository it is built from
    family_breaks: str = ""  # what does not work without the whole family


def image(name: str, source: str, what: str, runs: str = "") -> Component:
    return Component(name=name, family="", why=because(what, readers=runs, source=source))


def family(title: str, *rows: Component, runs: str, breaks: str) -> tuple[Component, ...]:
    """Images that belong together; `runs` holds for the rows that do not say who runs them."""
    outer = because("", readers=runs)
    return tuple(replace(row, family=title, family_breaks=breaks, why=row.why.within(outer)) for row in rows)
