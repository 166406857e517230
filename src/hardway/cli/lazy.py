"""Groups whose commands are imported only when they run; their help needs none of them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click

from hardway.cli.everywhere import take_everywhere


class Place(NamedTuple):
    """Where a command is, as module:attribute, and what it does in a few words."""

    path: str
    summary: str


class LazyGroup(click.Group):
    """`sections` are headings of the help, with the commands under each."""

    def __init__(self, *words: Any, sections: Mapping[str, Mapping[str, Place]], **settings: Any) -> None:
        super().__init__(*words, **settings)
        self._sections = sections
        self._places = {name: place for rows in sections.values() for name, place in rows.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._places:
            return None
        place = self._places[cmd_name]
        module, attribute = place.path.split(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        command.short_help = place.summary
        take_everywhere(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self._places and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], self._places, n=2, cutoff=0.6)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self._places))
        for title, rows in self._sections.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", place.summary) for name, place in rows.items()])
