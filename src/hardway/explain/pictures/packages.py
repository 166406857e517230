"""The packages in layers.

An arrow is an import; one that follows from others is not drawn. An arrow over several layers runs between two columns,
in a lane of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardway.explain.architecture.imports import direct, packages
from hardway.explain.architecture.layers import LAYERS, Package
from hardway.explain.pictures.canvas import Canvas

BOX, HEIGHT, BESIDE, BELOW, LANE = 168, 40, 56, 34, 7  # a box, the room beside and below it, and between two lanes
COLUMNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    start: tuple[float, float]
    end: tuple[float, float]
    rows: tuple[int, int]  # from and to, from above
    gap: int  # the one between two columns that it runs in, if it runs over several rows


def picture() -> str:
    width, height = BESIDE + COLUMNS * (BOX + BESIDE), len(LAYERS) * (HEIGHT + BELOW)
    placed = {package.name: (row, package) for row, layer in enumerate(LAYERS) for package in layer}
    described = "; ".join(
        f"{user} imports {', '.join(sorted(used))}" for user, used in direct(packages()).items() if used
    )
    canvas = Canvas(title="The packages of hardway; an arrow is an import", description=described)
    for path in _paths(list(_arrows(placed))):
        canvas.path(path, head=True)
    for row, package in placed.values():
        x, y = _left(package.column), _top(row)
        canvas.box((x, y), (BOX, HEIGHT))
        canvas.text((x + BOX / 2, y + 17), package.name, "name", "middle")
        canvas.text((x + BOX / 2, y + 32), package.what, "small", "middle")
    return canvas.svg((width, height))


def _left(column: int) -> int:
    return BESIDE + column * (BOX + BESIDE)


def _top(row: int) -> float:
    return BELOW / 2 + row * (HEIGHT + BELOW)


def _arrows(placed: dict[str, tuple[int, Package]]) -> Iterator[Arrow]:
    """They leave and reach a box side by side."""
    imports = direct(packages())
    pairs = [(user, used) for user, names in imports.items() for used in names]

    def column(name: str) -> tuple[int, int]:
        row, package = placed[name]
        return package.column, row

    def part(name: str, all_of_it: list[str]) -> float:
        return BOX * (sorted(all_of_it, key=column).index(name) + 1) / (len(all_of_it) + 1)

    for user, used in sorted(pairs):
        (above, source), (below, target) = placed[user], placed[used]
        start = _left(source.column) + part(used, [u for s, u in pairs if s == user])
        end = _left(target.column) + part(user, [s for s, u in pairs if u == used])
        yield Arrow(
            start=(start, _top(above) + HEIGHT),
            end=(end, _top(below) - 1),
            rows=(above, below),
            gap=target.column + (source.column > target.column),
        )


def _paths(arrows: list[Arrow]) -> Iterator[str]:
    taken: dict[tuple[int, int], list[tuple[int, int]]] = {}  # gap and lane -> rows that arrows run along there
    for arrow in sorted(arrows, key=lambda a: (a.gap, a.rows, a.start)):
        (x, y), (to_x, to_y), (above, below) = arrow.start, arrow.end, arrow.rows
        path = f"M{x:g} {y:g}"
        if below - above > 1:
            lane = 0
            while any(above < end and start < below for start, end in taken.get((arrow.gap, lane), [])):
                lane += 1
            taken.setdefault((arrow.gap, lane), []).append(arrow.rows)
            along = _left(arrow.gap) - BESIDE / 2 + LANE * ((lane + 1) // 2) * (-1 if lane % 2 else 1)
            path += _bend(x, y, along, y + BELOW)
            path += f"V{to_y - BELOW + 1:g}"
            x, y = along, to_y - BELOW + 1
        yield path + _bend(x, y, to_x, to_y)


def _bend(x: float, y: float, to_x: float, to_y: float) -> str:
    half = (to_y - y) / 2
    return f"C{x:g} {y + half:g} {to_x:g} {to_y - half:g} {to_x:g} {to_y:g}"
