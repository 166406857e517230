"""hardway guide: the chapters of the guide, in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.options import output_option, print_json
from hardway.cli.terminal.settings import on_terminal
from hardway.cli.terminal.text import show, tell
from hardway.model.errors import ConfigError
from hardway.page.texts import chapters, heading

if TYPE_CHECKING:
    from hardway.compare.report import Report


def complete_chapter(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in chapters() if name.startswith(incomplete)]


def _is_called(name: str, chapter: str) -> bool:
    """By its whole name, or one half of it: `05-pki`, `5` or `pki`."""
    number, _, title = name.partition("-")
    return chapter in (name, title) or number == chapter.zfill(2)


@click.command()
@click.argument("chapter", required=False, shell_complete=complete_chapter)
@click.option("--no-pager", "at_once", is_flag=True, help="Print the chapter at once, also on a terminal.")
@click.option(
    "--export",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the guide and everything about this cluster as pages for a browser.",
)
@click.option("--web", is_flag=True, help="Show the same pages in a browser, from a server of this machine.")
@click.option("--port", type=click.IntRange(1024, 65535), metavar="N", help="The port of --web. [default: a free one]")
@click.option(
    "--installer",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Have the pages show this bootstrap.ign of openshift-install beside ours.",
)
@output_option
@click.pass_obj
def guide(
    folder: Path,
    chapter: str | None,
    at_once: bool,
    export: Path | None,
    web: bool,
    port: int | None,
    installer: Path | None,
    output: str,
) -> None:
    """Show a chapter of the guide, by its number or name; without one, list the chapters.

    On a terminal the chapter opens in your pager ($PAGER, or less; q leaves it). --no-pager prints it at once. In a
    pipe, as in `hardway guide 05 | cat`, it is the Markdown text.

    --export writes pages into DIR: the chapters with this cluster's names and addresses, every artifact with the reason
    of each line, certificates, stages, findings, comparisons and known failures. They open without a server, load
    nothing from elsewhere, and hold no key, password, token or pull secret. DIR is made; an older export is replaced.

    --web serves them on 127.0.0.1 until Ctrl-C, and prints an address that opens them once, in one browser. There,
    commands that only read have a run button, and the pages of stages and lab follow what happens in the folder.

    With --installer, the page of comparisons has what openshift-install wrote into FILE beside what hardway makes from
    the same install-config, each difference with its reason (see `hardway compare-installer`).

    \b
    Examples:
      hardway guide
      hardway guide 05
      hardway guide 05 --no-pager
      hardway guide road-operators
      hardway -C mycluster guide --export pages
      hardway -C mycluster guide --web
      hardway -C mycluster guide --web --installer bootstrap.ign
    """
    _demand_one(chapter, export, web, port, installer)
    if export:
        _export(folder, export, installer, output)
        return
    if web:
        _serve(folder, port or 0, installer, output)
        return
    known = chapters()
    if chapter is None:
        titles = {name: heading(text) for name, text in known.items()}
        if output == "json":
            print_json([{"chapter": name, "title": title} for name, title in titles.items()])
            return
        for name, title in titles.items():
            show(f"{name:26} {title}")
        return
    names = [name for name in known if chapter and _is_called(name, chapter)]
    if not names:
        raise ConfigError(f"the guide has no chapter {chapter!r}.\n    fix: `hardway guide` lists the chapters")
    if output == "json":
        print_json({"chapter": names[0], "text": known[names[0]]})
        return
    if on_terminal():
        from hardway.cli.terminal.page import show_page

        show_page(known[names[0]], pager=not at_once)
    else:
        click.echo(known[names[0]], nl=False)


def _compared(installer: Path | None) -> Report | None:
    from hardway.cli.terminal.work import busy
    from hardway.compare.installer.comparison import compare

    if installer is None:
        return None
    with busy("comparing"):
        return compare(installer)


def _export(folder: Path, target: Path, installer: Path | None, output: str) -> None:
    from hardway.cli.terminal.work import busy
    from hardway.page.export import export, require_place
    from hardway.page.site import open_site

    require_place(target)
    compared = _compared(installer)
    with busy("writing the pages"):
        count = export(open_site(folder, compared), target)
    if output == "json":
        print_json({"pages": str(target / "index.html"), "files": count})
    else:
        tell(f"{count} files are in {target}. Open {target / 'index.html'} in a browser.")


def _demand_one(chapter: str | None, export: Path | None, web: bool, port: int | None, installer: Path | None) -> None:
    if export and web:
        raise ConfigError("--export and --web exclude each other.\n    fix: give one of them")
    if chapter and (export or web):
        option = "--export" if export else "--web"
        raise ConfigError(f"{option} has all chapters, and takes no chapter.\n    fix: leave the chapter out")
    if port and not web:
        raise ConfigError("--port is for --web.\n    fix: give --web too, or leave --port out")
    if installer and not (web or export):
        raise ConfigError("--installer is for --web and --export.\n    fix: give one of them too")


def _serve(folder: Path, port: int, installer: Path | None, output: str) -> None:
    """Until somebody ends it, which is no error."""
    from hardway.cli.terminal.work import busy
    from hardway.page.served.server import Server
    from hardway.page.served.shelf import Shelf

    compared = _compared(installer)
    with busy("reading the folder"):
        shelf = Shelf(folder, compared)
    with Server(shelf, port) as server:
        if output == "json":
            print_json({"url": server.url})
        else:
            show(f"Open {server.url}\nIt works once, in one browser. Ctrl-C ends the server.")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            tell("The server has ended.")
