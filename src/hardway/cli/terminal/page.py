"""A page of Markdown on a terminal, in the user's pager or at once."""

from __future__ import annotations

import click
from rich.console import Console
from rich.markdown import Markdown

from hardway.cli.terminal.settings import FULL, colored, columns


def show_page(text: str, *, pager: bool) -> None:
    console = Console(
        width=min(columns() or FULL, FULL),
        force_terminal=True,
        color_system="auto" if colored() else None,
        legacy_windows=False,
    )
    with console.capture() as drawn:
        console.print(Markdown(text, code_theme="ansi_dark", hyperlinks=False))
    lines = (line.rstrip() for line in drawn.get().splitlines())
    page = "\n".join(lines) + "\n"
    click.echo_via_pager(page, color=colored()) if pager else click.echo(page, nl=False, color=colored())
