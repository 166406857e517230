"""Groups whose commands are imported only when they run; their help needs none of them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "folder_of_the_cluster"


class Place(NamedTuple):
    """Where a command is, as module:attribute, and what it does in a few words."""

    path: str
    summary: str


def take_folder(command: click.Command) -> None:
    """-C after the command means what it means before: the command, and those of a group, take it too."""
    if isinstance(command, click.Group) and not isinstance(command, LazyGroup):
        for each in command.commands.values():
            take_folder(each)
    if any("-C" in param.opts for param in command.params):
        return
    from pathlib import Path

    kind = click.Path(path_type=Path, file_okay=False)
    option = click.Option(["-C", FOLDER], type=kind, expose_value=False, hidden=True, callback=_keep_folder)
    command.params.append(option)


def _keep_folder(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    if value is not None:
        ctx.obj = value
        ctx.find_root().params["folder"] = value  # where completion looks


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
        take_folder(command)
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
