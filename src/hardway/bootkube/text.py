"""bootkube's table for people."""

from __future__ import annotations

from collections.abc import Sequence

from hardway.bootkube.operators.row import OPT
from hardway.bootkube.row import Stage


def listed(stages: Sequence[Stage]) -> str:
    rows = [("stage", "", "marker", "what it is for")]
    rows += [(s.number, s.name, s.marker or "-", s.why.what) for s in stages]
    wide = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = ["  ".join([*(cell.ljust(w) for cell, w in zip(row, wide, strict=False)), row[3]]) for row in rows]
    return "\n".join(lines)


def explained(stage: Stage) -> str:
    rows = [
        ("", stage.why.what),
        ("waits for", stage.waits or "nobody"),
        ("reads", "\n".join(stage.reads) or "nothing"),
        ("writes", "\n".join(stage.writes) or "nothing"),
        ("marker", f"{OPT}/{stage.marker}" if stage.marker else "none: it runs every time"),
        ("without it", stage.why.breaks),
        ("in the lab", stage.lab),
        ("source", stage.why.source),
        ("call", f"hardway render {stage.operator} --dry-run" if stage.operator else ""),
    ]
    lines = [f"bootkube {stage.title}"]
    for name, value in rows:
        for number, line in enumerate(value.splitlines()):
            lines.append(f"  {name if not number else '':<11} {line}".rstrip())
    return "\n".join(lines)
