"""Components from the user's own checkouts, as commands take them."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.options import Function


def complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names, each with the sign that a folder follows; the folder itself is typed."""
    from hardway.labrelease.checkouts.table import TABLE

    return [f"{kit.name}=" for kit in TABLE if f"{kit.name}=".startswith(incomplete)]


def complete_release(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.labrelease.release import names

    return [name for name in names() if name.startswith(incomplete)]


component_option = click.option(
    "--component",
    "described",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A YAML file that describes a component which hardway does not know.",
)


def source_options(function: Function) -> Function:
    named = click.option(
        "--source",
        "sources",
        multiple=True,
        metavar="NAME=DIR",
        shell_complete=complete_source,
        help="Compile this component from the checkout in DIR; several may be given.",
    )
    return named(component_option(function))
