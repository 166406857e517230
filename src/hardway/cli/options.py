"""Options that several commands share, and the way they print."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hardway.cli.failure import problem_row
from hardway.cli.terminal.settings import chosen as terminal
from hardway.cli.terminal.text import show
from hardway.model.errors import ConfigError, HardwayError
from hardway.model.figures import Figure
from hardway.model.problem import Problem
from hardway.stages.row import Stage
from hardway.stages.table import BUILT, TABLE, find

if TYPE_CHECKING:
    from hardway.workspace.folder import Workspace

Function = TypeVar("Function", bound=Callable[..., Any])
WORDS = {"ignore_unknown_options": True, "allow_interspersed_args": False}
"""For a command whose words are those of another program."""


def keep_output(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """For errors, which are printed the same way."""
    terminal.output = value or terminal.output
    return value


output_option = click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    is_eager=True,
    callback=keep_output,
    help="How to print, errors too. [default: text]",
)


def in_folder(folder: Path) -> Path:
    """The cluster's folder, where an argument names it: commands that are printed name it too."""
    terminal.folder = str(folder)
    return folder


def complete_stage(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    names = [f"{s.number}-{s.name}" for s in TABLE]
    return [n for n in names if n.startswith(incomplete) or n[3:].startswith(incomplete)]


def complete_words(*words: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Completion of an option whose words are checked elsewhere, together with everything else."""
    return lambda ctx, param, incomplete: [word for word in words if word.startswith(incomplete)]


def folder_of(ctx: click.Context) -> Path:
    """Of a command line that is being completed."""
    return Path(ctx.find_root().params.get("folder") or "")


def complete_from(
    ctx: click.Context, incomplete: str, names: Callable[[Workspace], Iterable[str]], *, example: bool = False
) -> list[str]:
    """Completion from what the cluster's folder has; nothing where there is no readable one, or the example."""
    from hardway.workspace.folder import open_or_example, open_workspace

    try:
        workspace = (open_or_example if example else open_workspace)(folder_of(ctx))
    except (HardwayError, OSError):
        return []
    return [name for name in names(workspace) if name.startswith(incomplete)]


def _ignored(ctx: click.Context, param: click.Parameter, patterns: tuple[str, ...]) -> frozenset[str]:
    from hardway.checks.all import named

    return named(patterns) if patterns else frozenset()


def _complete_id(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.checks.all import ids

    return [name for name in ids() if name.startswith(incomplete)]


ignore_option = click.option(
    "--ignore",
    multiple=True,
    metavar="ID",
    callback=_ignored,
    shell_complete=_complete_id,
    help="Report this failure mode (F36) or check (pki.modes, 'dns.*') without failing.",
)


def complete_node(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The machines of the plan."""
    from hardway.workspace.folder import planned

    try:
        nodes = planned(folder_of(ctx)).nodes
    except (HardwayError, OSError):
        return []
    return [node.name for node in nodes if node.name.startswith(incomplete)]


nodes_argument = click.argument("nodes", nargs=-1, metavar="[NODE]...", shell_complete=complete_node)
stages_argument = click.argument("stages", nargs=-1, metavar="[STAGE]...", shell_complete=complete_stage)


def chosen(stages: tuple[str, ...]) -> list[Stage]:
    """The stages named, or all that make files."""
    return [find(s) for s in stages] if stages else list(BUILT)


def with_figures(**figures: Figure) -> Callable[[Function], Function]:
    """Write each figure into the help text, where its name stands in braces."""

    def told(function: Function) -> Function:
        function.__doc__ = (function.__doc__ or "").format(**figures)
        return function

    return told


def all_of(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """As one: help lists them in this order."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def one_or_all(node: str | None, every: bool) -> None:
    if (node is None) != every:
        what = "no node is named" if node is None else "--all and a node are both given"
        raise ConfigError(f"{what}.\n    fix: name one node, or give --all and no node")


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2))


def print_warnings(warnings: Iterable[Problem]) -> None:
    for warning in warnings:
        if terminal.output == "json":
            click.echo(json.dumps(problem_row(warning)), err=True)
        else:
            show(str(warning), err=True)


def warn(place: str, message: str, fix: str) -> None:
    print_warnings([Problem(file="", line=0, column=0, path=place, message=message, fix=fix, rule="", warning=True)])


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
