"""Rows of work as a picture."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from hardway.cli.terminal.rows import Row, Rows

BAR, NARROW = 20, 76  # columns of a bar, and of a terminal that has none
PAD = 2  # columns between two cells
SPINNER = Spinner("dots")


def picture(rows: Rows, width: int) -> RenderableType:
    cells = rows.cells()
    parts: list[RenderableType] = [_counted(cells, width)] if cells else []
    parts += [cut(f"   {row.detail}", "dim") for row, _ in cells[-1:] if row.detail]
    parts += [cut(reason, "yellow") for reason in rows.waits()]
    return Group(*parts)


def cut(text: str, style: str) -> Text:
    return Text(text.replace("\n", " "), style, no_wrap=True, overflow="ellipsis")


def _counted(cells: list[tuple[Row, str]], width: int) -> Table:
    beside = max(len(row.numbers) + len(time) for row, time in cells) + (BAR if width >= NARROW else 0)
    table = Table.grid(padding=(0, PAD, 0, 0))
    table.add_column(width=1)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=max(width - beside - 1 - 5 * PAD, 1))
    for _ in range(3):
        table.add_column(no_wrap=True, justify="right")
    for row, time in cells:
        bar = ProgressBar(row.total, row.done, width=BAR) if row.total and width >= NARROW else ""
        table.add_row(SPINNER, row.subject, bar, row.numbers, Text(time, "cyan"))
    return table
