"""Options that stand before or after the command: -C, -v, -q and --color."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hardway.cli.terminal.settings import COLORS, chosen, colored, on_terminal

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "folder_of_the_cluster"
BEGUN = "hardway.cli.begun"


class Context(click.Context):
    """Help that fits the terminal, if there is one."""

    def make_formatter(self) -> click.HelpFormatter:
        if not (on_terminal() or colored()):
            return super().make_formatter()
        from hardway.cli.terminal.help import Formatter

        return Formatter()


def take_everywhere(command: click.Command) -> None:
    """After the command they mean what they mean before: the command, and those of a group, take them too."""
    if isinstance(command, click.Group) and hasattr(command, "commands"):
        for each in command.commands.values():
            take_everywhere(each)
    command.context_class = Context
    known = {name for param in command.params for name in param.opts}
    foreign = command.context_settings.get("ignore_unknown_options")  # what follows is another program's
    options = [_folder_option()] if foreign else [_folder_option(), *terminal_options(hidden=True)]
    command.params += [option for option in options if known.isdisjoint(option.opts)]


def _folder_option() -> click.Option:
    from pathlib import Path

    kind = click.Path(path_type=Path, file_okay=False)
    return click.Option(["-C", FOLDER], type=kind, expose_value=False, hidden=True, callback=_keep_folder)


def terminal_options(*, hidden: bool) -> list[click.Option]:
    shared: dict[str, Any] = {"expose_value": False, "is_eager": True, "hidden": hidden, "callback": _keep}
    return [
        click.Option(
            ["-v", "--verbose"],
            is_flag=True,
            help="Print each program that runs, each file that is written, each address that is asked.",
            **shared,
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print results and errors, and no progress.", **shared),
        click.Option(
            ["--color"],
            type=click.Choice(COLORS),
            help="Colour: auto is on a terminal, unless NO_COLOR is set. [default: auto]",
            **shared,
        ),
    ]


def _keep_folder(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    if value is not None:
        ctx.obj = value
        ctx.find_root().params["folder"] = value  # where completion looks


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """What stands before the command is read first, and begins anew."""
    if ctx.parent is None and not ctx.meta.get(BEGUN):
        ctx.meta[BEGUN] = True
        vars(chosen).clear()
    if not value:
        return
    setattr(chosen, param.name or "", value)
    if chosen.verbose and chosen.quiet:
        raise click.UsageError("--verbose and --quiet exclude each other.", ctx)
    ctx.color = {"always": True, "never": False}.get(chosen.color)
    if chosen.verbose or chosen.quiet:
        from hardway.cli.terminal import steps

        steps.listen()
