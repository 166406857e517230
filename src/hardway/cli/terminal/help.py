"""The help of commands on a terminal: as wide as that, with no word broken, and with colours."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from hardway.cli.terminal.settings import colored, columns
from hardway.cli.terminal.text import fit, styled

HYPHEN = "\ue001"  # stands for a hyphen while click breaks lines, which it does at hyphens too
WIDEST = 100
HEADING = re.compile(r"^[A-Z][\w ]*:(?=\s|$)", re.MULTILINE)
NAMES = re.compile(r"^  (?:-{1,2}[A-Za-z].*?|[a-z][a-z-]*)(?=  )", re.MULTILINE)


class Formatter(click.HelpFormatter):
    def __init__(self) -> None:
        self._columns = columns() or 80
        super().__init__(width=min(self._columns, WIDEST))

    def write_text(self, text: str) -> None:
        super().write_text(_held(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        held = [(first, _held(second)) for first, second in rows]
        super().write_dl(held, min(col_max, 2 * self._columns // 5), col_spacing)

    def getvalue(self) -> str:
        text = fit(super().getvalue().replace(HYPHEN, "-"), self._columns)
        if not colored():
            return text
        text = HEADING.sub(lambda found: styled(found[0], "bold"), text)
        return NAMES.sub(lambda found: styled(found[0], "cyan"), text)


def _held(text: str) -> str:
    return re.sub(r"(?<=\w)-(?=\w)", HYPHEN, text)
