"""A comparison as a whole, and what can be said of it: as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import TextWrapper
from typing import Any

from hardway.compare.row import AREAS, KINDS, Area, Difference, Row

EXAMPLES = 3
INDENT = "    "


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How one comparison calls what it holds side by side."""

    source: str  # in JSON: where theirs was read from
    fields: tuple[str, ...]  # in JSON: what is told of a difference
    theirs: str
    ours: str
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """An operator of which nothing was there to be compared."""

    name: str
    what: str
    fix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Ok if every difference has a row that explains it."""

    wording: Wording
    source: str
    head: tuple[str, ...]  # how the text begins
    compared: Mapping[str, Any]  # how many of each theirs has
    differences: tuple[Difference, ...]
    missing: tuple[Missing, ...] | None = None

    @property
    def unexplained(self) -> tuple[Difference, ...]:
        return tuple(d for d in self.differences if d.row is None)

    @property
    def ok(self) -> bool:
        return not self.unexplained

    def by_area(self) -> Iterator[tuple[Area, list[tuple[Row, list[Difference]]]]]:
        """Each area with its rows, each row with what it explains."""
        for area in ("", *AREAS):
            rows: dict[str, tuple[Row, list[Difference]]] = {}
            for one in self.differences:
                if one.row and one.area == area:
                    rows.setdefault(one.row.name, (one.row, []))[1].append(one)
            yield area, list(rows.values())

    def as_dict(self) -> dict[str, Any]:
        absent = [{"operator": one.name, "what": one.what, "fix": one.fix} for one in self.missing or ()]
        return {
            self.wording.source: self.source,
            "ok": self.ok,
            "compared": self.compared,
            **({} if self.missing is None else {"missing": absent}),
            "unexplained": [self._told(d) for d in self.unexplained],
            "expected": [self._told(d) for d in self.differences if d.row],
        }

    def _told(self, one: Difference) -> dict[str, Any]:
        said = {field: getattr(one, field) for field in ("area", "operator", "thing", "aspect", "theirs", "ours")}
        said |= {"path": one.thing}
        if row := one.row:
            said |= {"row": row.name, "kind": row.kind, "why": row.what, "without": row.breaks, "source": row.source}
        return {field: said.get(field) for field in self.wording.fields}

    def as_text(self, width: int | None = None) -> str:
        """`width` is that of a terminal."""
        lines = [*self.head, self.summary(), *self._open(), *self._explained(width), *self._absent()]
        return "\n".join(lines) + "\n"

    def summary(self) -> str:
        every, unexplained = len(self.differences), len(self.unexplained)
        return f"{every} differences, {every - unexplained} of them expected, {unexplained} unexplained."

    def _open(self) -> Iterator[str]:
        for one in self.unexplained:
            yield f"\nUNEXPLAINED {f'{one.area}: ' if one.area else ''}{one.thing} {one.aspect}"
            yield f"{INDENT}{self.wording.theirs.format(operator=one.operator)}{one.theirs}"
            yield f"{INDENT}{self.wording.ours}{one.ours}"

    def _explained(self, width: int | None) -> Iterator[str]:
        for area, rows in self.by_area():
            if area and rows:
                yield f"\n{AREAS[area]}"
            for row, several in rows:
                yield (
                    f"\n  {row.name} ({len(several)}): {KINDS[row.kind]}" if area else f"\n{row.name} ({len(several)})"
                )
                yield from self._reason(row, width)
                yield from (f"{INDENT}- {d.thing} {d.aspect}" for d in several[:EXAMPLES])
                if len(several) > EXAMPLES:
                    yield f"{INDENT}- and {len(several) - EXAMPLES} more"

    def _reason(self, row: Row, width: int | None) -> Iterator[str]:
        shape = TextWrapper(self.wording.width, initial_indent=INDENT, subsequent_indent=INDENT)
        if width is not None:
            shape.width, shape.break_on_hyphens = min(width, shape.width), False
        for text in (row.what, f"Without: {row.breaks}." if row.breaks else ""):
            yield from shape.wrap(text)
        if row.source:
            yield f"{INDENT}Source: {row.source}"

    def _absent(self) -> Iterator[str]:
        if self.missing:
            yield "\nNot compared, because they are not rendered here:"
        for one in self.missing or ():
            yield f"  {one.name}: {one.what}. To get it: {one.fix}"
