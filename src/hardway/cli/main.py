"""The command line. Every command's module is imported only when that command runs."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import click

from hardway import __version__
from hardway.cli.lazy import LazyGroup
from hardway.model.errors import HardwayError

EXIT_CODES = """\b
Exit codes: 0 all is well · 2 wrong usage or configuration, nothing was changed ·
3 a program or the machine failed · 4 verification found defects · 1 a bug in hardway."""

COMMANDS = {
    "init": "hardway.cli.init:init",
    "build": "hardway.cli.build:build",
    "verify": "hardway.cli.verify:verify",
    "status": "hardway.cli.status:status",
    "explain": "hardway.cli.explain:explain",
    "graph": "hardway.cli.graph:graph",
    "compare-installer": "hardway.cli.compare:compare_installer",
    "release": "hardway.cli.release.group:release",
    "render": "hardway.cli.render:render",
    "compare": "hardway.cli.compare:compare",
    "bootkube": "hardway.cli.bootkube:bootkube",
    "prerequisites": "hardway.cli.prerequisites:prerequisites",
    "network": "hardway.cli.network:network",
    "infra": "hardway.cli.infra:infra",
    "deliver": "hardway.cli.deliver:deliver",
    "install": "hardway.cli.install.command:install",
    "lab": "hardway.cli.lab.group:lab",
    "completion": "hardway.cli.completion:completion",
}


@click.command(
    cls=LazyGroup, table=COMMANDS, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "-C",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="The cluster's folder, the one with install-config.yaml. [default: here]",
)
@click.version_option(__version__, prog_name="hardway")
@click.pass_context
def cli(ctx: click.Context, folder: Path) -> None:
    """OpenShift the hard way: every artifact of a 4.18 cluster (platform none), made by hand and explained.

    \b
    The way through:
      hardway init mycluster          an install-config.yaml to start from
      cd mycluster
      hardway build                   everything the cluster is made of, into ./assets
      hardway verify                  reads it back and checks it
      hardway status                  what is built, verified or stale, and why
      hardway explain cert/root-ca    why a thing exists and what breaks without it
      hardway explain assets/bootstrap-manifests/kube-apiserver-pod.yaml:40
      hardway lab up demo             the whole way to a running cluster, on this machine alone
    """
    ctx.obj = folder


def main() -> None:
    try:
        code = cli(prog_name="hardway", standalone_mode=False)
    except HardwayError as error:
        _end(str(error), error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _end("interrupted: what was finished is kept, run the same command again to go on", 130)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _end(f"{name}{error.strerror or error}.\n    fix: see to it that hardway may read and write there", 3)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _end(message: str, code: int) -> NoReturn:
    with suppress(OSError):
        click.echo(message, err=True)
    try:
        sys.stdout.flush()
    except OSError:  # what cannot be printed would be tried again, and complained about, when Python ends
        os._exit(code)
    sys.exit(code)
