"""hardway compare-installer: our bootstrap.ign beside openshift-install's."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.options import output_option, print_json
from hardway.model.errors import CheckError


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@output_option
def compare_installer(file: Path, output: str) -> None:
    """Compare what openshift-install wrote into FILE, a bootstrap.ign, with what hardway makes of the same
    install-config (which is read from that file).

    Every document, certificate, kubeconfig, file, mode and unit is held against ours. Each difference has a reason
    in one table; one without a reason is an error, and the exit code is 4. Nothing is written.
    """
    from hardway.compare.ours import bootstrap_ignition
    from hardway.compare.report import compare

    report = compare(file, bootstrap_ignition)
    if output == "json":
        print_json(report.as_dict())
    else:
        click.echo(report.as_text(), nl=False)
    if not report.ok:
        raise CheckError("there are differences that no row explains")
