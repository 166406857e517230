"""Options that stand before or after the command: -C, -o, -v, -q and --color."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hardway.cli.terminal.settings import COLORS, chosen

if TYPE_CHECKING:
    from pathlib import Path

QUIET = (
    "Print only what was asked for, findings, warnings and errors: no progress, notes, skipped checks or next steps. "
    "A command that only does something prints nothing when it succeeds."
)
FOLDER = "folder_of_the_cluster"
BEGUN = "hardway.cli.begun"
OUTPUT = "hardway.cli.output"


class Context(click.Context):
    """Help that fits the terminal; -o, which stood before the command; and for an error the command that is read."""

    def __init__(self, command: click.Command, parent: click.Context | None = None, **settings: Any) -> None:
        super().__init__(command, parent, **settings)
        chosen.command = self.command_path
        if OUTPUT not in self.meta or isinstance(command, click.Group):
            return
        if any(param.name == "output" for param in command.params):
            self.default_map = {"output": self.meta[OUTPUT]}
        elif not self.resilient_parsing:
            raise click.UsageError(f"`{self.command_path}` has no option -o.\n    fix: leave -o out", self)

    def make_formatter(self) -> click.HelpFormatter:
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


def output_option() -> click.Option:
    """For the group of all commands; which formats a command has, the command says itself."""
    return click.Option(
        ["-o", "--output"],
        metavar="[text|json]",
        expose_value=False,
        is_eager=True,
        callback=_keep_output,
        help="How to print, errors too; before or after the command. [default: text]",
    )


def print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Not eager, so that -o is known wherever it stands."""
    if not value or ctx.resilient_parsing:
        return
    from hardway import __version__

    if ctx.meta.get(OUTPUT) == "json":
        from hardway.cli.options import print_json

        print_json({"version": __version__})
    else:
        click.echo(f"hardway, version {__version__}")
    ctx.exit()


def terminal_options(*, hidden: bool) -> list[click.Option]:
    shared: dict[str, Any] = {"expose_value": False, "is_eager": True, "hidden": hidden, "callback": _keep}
    return [
        click.Option(
            ["-v", "--verbose"],
            is_flag=True,
            help="Print each program that runs, each file that is written, each address that is asked.",
            **shared,
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help=QUIET, **shared),
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
        chosen.folder = str(value)
        ctx.find_root().params["folder"] = value  # where completion looks


def _keep_output(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        ctx.meta[OUTPUT] = value


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """What stands before the command is read first, and begins anew."""
    if ctx.parent is None and not ctx.meta.get(BEGUN):
        ctx.meta[BEGUN] = True
        vars(chosen).clear()
    if not value:
        return
    setattr(chosen, param.name or "", value)
    if chosen.verbose and chosen.quiet:
        raise click.UsageError("--verbose and --quiet exclude each other.\n    fix: give one of them", ctx)
    ctx.color = {"always": True, "never": False}.get(chosen.color)
    if chosen.verbose or chosen.quiet:
        from hardway.cli.terminal import steps

        steps.listen()
