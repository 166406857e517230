"""The comparison as a whole, and what can be said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from hardway.compare.rendered.differences import differences
from hardway.compare.rendered.operators import Operator
from hardway.compare.rendered.reading import Folder, read
from hardway.compare.rendered.row import AREAS, KINDS, Area, Difference, Row

WIDTH = 110
EXAMPLES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedReport:
    """Ok if every difference has a row that explains it."""

    folder: str
    compared: dict[str, dict[str, int]]  # operator to how much of each it rendered
    missing: tuple[Operator, ...]
    differences: tuple[Difference, ...]

    @property
    def unexplained(self) -> tuple[Difference, ...]:
        return tuple(d for d in self.differences if d.row is None)

    @property
    def ok(self) -> bool:
        return not self.unexplained

    def by_area(self) -> Iterator[tuple[Area, list[tuple[Row, list[Difference]]]]]:
        """Each area with its rows, each row with what it explains."""
        for area in AREAS:
            rows: dict[str, list[Difference]] = {}
            for difference in self.differences:
                if difference.row and difference.area == area:
                    rows.setdefault(difference.row.name, []).append(difference)
            found = [(several[0].row, several) for several in rows.values()]
            yield area, [(row, several) for row, several in found if row]

    def as_dict(self) -> dict[str, Any]:
        return {
            "folder": self.folder,
            "ok": self.ok,
            "compared": self.compared,
            "missing": [{"operator": o.name, "what": o.what, "fix": how_to_get(o)} for o in self.missing],
            "unexplained": [d.as_dict() for d in self.unexplained],
            "expected": [d.as_dict() for d in self.differences if d.row],
        }

    def as_text(self) -> str:
        return "\n".join([*self._head(), *self._open(), *self._explained(), *self._absent()]) + "\n"

    def _head(self) -> Iterator[str]:
        yield f"{self.folder}: what operators rendered, beside what is written by hand."
        for name, counts in self.compared.items():
            yield f"  {name}: {counted(counts)}"
        yield self.summary()

    def summary(self) -> str:
        every, unexplained = len(self.differences), len(self.unexplained)
        return f"{every} differences, {every - unexplained} of them expected, {unexplained} unexplained."

    def _open(self) -> Iterator[str]:
        for difference in self.unexplained:
            yield f"\nUNEXPLAINED {difference.area}: {difference.thing} {difference.aspect}"
            yield f"    the operator ({difference.operator}): {difference.theirs}"
            yield f"    by hand: {difference.ours}"

    def _explained(self) -> Iterator[str]:
        for area, rows in self.by_area():
            if rows:
                yield f"\n{AREAS[area]}"
            for row, several in rows:
                yield f"\n  {row.name} ({len(several)}): {KINDS[row.kind]}"
                yield from wrap(row.why.what, WIDTH, initial_indent="    ", subsequent_indent="    ")
                yield from wrap(f"Without: {row.why.breaks}.", WIDTH, initial_indent="    ", subsequent_indent="    ")
                yield f"    Source: {row.why.source}"
                yield from (f"    - {d.thing} {d.aspect}" for d in several[:EXAMPLES])
                if len(several) > EXAMPLES:
                    yield f"    - and {len(several) - EXAMPLES} more"

    def _absent(self) -> Iterator[str]:
        if self.missing:
            yield "\nNot compared, because nothing of them is rendered here:"
        for operator in self.missing:
            yield f"  {operator.name}: {operator.what}. To get it: {how_to_get(operator)}"


def counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {noun}{'' if n == 1 else 's'}" for noun, n in counts.items() if n)


def how_to_get(operator: Operator) -> str:
    return f"`hardway render {operator.name}`"


def compare(folder: Path) -> RenderedReport:
    """Read both sides from a cluster's folder, and hold them side by side. Nothing is written."""
    found = read(folder)
    return RenderedReport(
        folder=str(folder),
        compared=_counts(found),
        missing=found.missing,
        differences=tuple(differences(found)),
    )


def _counts(folder: Folder) -> dict[str, dict[str, int]]:
    return {
        name: {"pod": int(side.pod is not None), "object": len(side.objects), "file": len(side.files)}
        for name, side in folder.rendered.items()
    }
