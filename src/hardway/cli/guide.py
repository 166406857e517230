"""hardway guide: the chapters of the guide, in the terminal."""

from __future__ import annotations

from importlib.resources import files

import click

from hardway.cli.options import output_option, print_json
from hardway.cli.terminal.settings import on_terminal
from hardway.cli.terminal.text import show
from hardway.model.errors import ConfigError


def chapters() -> dict[str, str]:
    """The text of every chapter by its name, in order. In the repository they are in docs/guide."""
    found = {path.name.removesuffix(".md"): path for path in files("hardway").joinpath("guide").iterdir()}
    return {name: found[name].read_text(encoding="utf-8") for name in sorted(found) if name != "README"}


def complete_chapter(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in chapters() if name.startswith(incomplete)]


@click.command()
@click.argument("chapter", required=False, shell_complete=complete_chapter)
@output_option
def guide(chapter: str | None, output: str) -> None:
    """Show a chapter of the guide, by its number or name; without one, list the chapters.

    \b
    Examples:
      hardway guide
      hardway guide 05
      hardway guide road-operators
    """
    known = chapters()
    if chapter is None:
        titles = {name: text.splitlines()[0].lstrip("# ") for name, text in known.items()}
        if output == "json":
            print_json([{"chapter": name, "title": title} for name, title in titles.items()])
            return
        for name, title in titles.items():
            show(f"{name:26} {title}")
        return
    names = [
        name
        for name in known
        if chapter in (name, name.partition("-")[2]) or name.partition("-")[0] == chapter.zfill(2)
    ]
    if not names:
        raise ConfigError(f"the guide has no chapter {chapter!r}.\n    fix: `hardway guide` lists the chapters")
    if output == "json":
        print_json({"chapter": names[0], "text": known[names[0]]})
        return
    if on_terminal():
        from hardway.cli.terminal.page import show_page

        show_page(known[names[0]])
    else:
        click.echo(known[names[0]], nl=False)
