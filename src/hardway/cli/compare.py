"""hardway compare and compare-installer: what others make for the same cluster, beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.options import in_folder, output_option, print_json
from hardway.cli.terminal.settings import columns
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy
from hardway.model.errors import CheckError, ConfigError

if TYPE_CHECKING:
    from hardway.compare.report import Report


@click.command()
@click.argument("directory", metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False), required=False)
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write a page for a browser: one file, which loads nothing.",
)
@output_option
@click.pass_obj
def compare(folder: Path, directory: Path | None, html: Path | None, output: str) -> None:
    """Compare what the operators rendered for the cluster in DIR with what is written by hand.

    \b
    Needs both in the cluster's folder:
      hardway build            what is written by hand, into assets/
      hardway render --all     what the release's operators render, into assets/rendered/NAME/
    Operators that have not rendered are named, and the rest is compared.

    It compares pods with their containers, mounts and probes; arguments, also those in the API server's configuration
    file; that file itself; certificates; manifests; files on the bootstrap machine. One table has a reason and a
    source for each difference: what the operator adds, what ours adds, and what breaks without it. A difference
    without a reason is an error, with exit code 4. No key and no password is printed.

    \b
    Examples:
      hardway compare
      hardway compare mycluster --html comparison.html
      hardway compare -o json | jq '.expected[] | select(.area == "flags")'
    """
    from hardway.compare.rendered.comparison import compare as compared

    where = in_folder(folder / directory) if directory else folder
    if not where.is_dir():
        raise ConfigError(f"{where}: there is no such folder.\n    fix: name the cluster's folder")
    if html:
        _require_place(html)
    with busy("comparing"):
        report = compared(where)
    if html:
        from hardway.compare.rendered.page import page
        from hardway.io import atomic

        atomic.write(html, page(report).encode(), atomic.PUBLIC)
    _print(report, output, ending=f"\nPage: {html}\n" if html else "")


def _require_place(target: Path) -> None:
    """A page may replace an older one, and nothing else."""
    from hardway.compare.rendered.page import MARK
    from hardway.io import plain

    if not target.parent.is_dir():
        raise ConfigError(f"{target}: there is no folder {target.parent}.\n    fix: make it, or name another file")
    if target.exists() and MARK.encode() not in plain.read(target)[:1000]:
        raise ConfigError(
            f"{target}: this is not a page of a comparison.\n    fix: name another file, or remove this one"
        )


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@output_option
def compare_installer(file: Path, output: str) -> None:
    """Compare what openshift-install wrote into FILE, a bootstrap.ign, with what hardway makes from the same
    install-config (which is read from that file).

    It compares every document, certificate, kubeconfig, file, mode and unit. One table has a reason for each
    difference; a difference without a reason is an error, with exit code 4. Nothing is written.
    """
    from hardway.compare.installer.comparison import compare

    with busy("comparing"):
        report = compare(file)
    _print(report, output)


def _print(report: Report, output: str, *, ending: str = "") -> None:
    if output == "json":
        print_json(report.as_dict())
    else:
        show(report.as_text(columns()), nl=False)
        tell(ending, nl=False)
    if not report.ok:
        raise CheckError("some differences have no explanation")
