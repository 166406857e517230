"""Runs stages in their order; one whose marker is there is passed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hardway.bootkube.context import Context, write
from hardway.bootkube.row import Stage
from hardway.bootkube.steps import STEPS
from hardway.bootkube.table import TABLE

Tell = Callable[[Stage, str], None]  # what of a stage: begins, done, kept


def chosen(*, only: Stage | None = None, first: Stage | None = None, last: Stage | None = None) -> tuple[Stage, ...]:
    if only:
        return (only,)
    begin = TABLE.index(first) if first else 0
    end = TABLE.index(last) + 1 if last else len(TABLE)
    return TABLE[begin:end]


def is_done(ctx: Context, stage: Stage) -> bool:
    return bool(stage.marker) and ctx.below(stage.marker).exists()


def run(ctx: Context, stages: Sequence[Stage], tell: Tell, *, again: bool = False) -> None:
    """`again`: also where a marker says that it is done."""
    for stage in stages:
        if is_done(ctx, stage) and not again:
            tell(stage, "kept")
            continue
        tell(stage, "begins")
        if stage.marker:
            ctx.below(stage.marker).unlink(missing_ok=True)
        marked = STEPS[stage.name](ctx) is not False
        if stage.marker and marked:
            write(ctx.below(stage.marker), b"", 0o644)
        tell(stage, "done")
