"""The command line. Every command's module is imported only when that command runs."""

from __future__ import annotations

import errno
import gc
import os
import select
import sys
from contextlib import suppress
from typing import NoReturn

import click

from hardway import __version__
from hardway.cli.everywhere import Context, terminal_options
from hardway.cli.lazy import LazyGroup, Place
from hardway.cli.naming import naming_release
from hardway.model.errors import EXIT_CODES, HardwayError

CODES = "\b\nExit codes:\n" + "\n".join(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES.items())
CLOSED_PIPE = 141
NEW_OBJECTS = 200_000
"""How many, before Python looks for circles among them: a command makes many that stay, and hardly a circle."""

SECTIONS = {
    "Learn": {
        "explain": Place("hardway.cli.explain:explain", "Why a thing exists and what breaks without it"),
        "guide": Place("hardway.cli.guide:guide", "A chapter of the guide, in the terminal"),
        "graph": Place("hardway.cli.graph:graph", "What is made from what"),
        "compare": Place("hardway.cli.compare:compare", "Hand-written against what operators render"),
        "compare-installer": Place("hardway.cli.compare:compare_installer", "Ours against openshift-install's"),
        "bootkube": Place("hardway.cli.bootkube:bootkube", "bootkube.sh as separate steps"),
    },
    "Build": {
        "init": Place("hardway.cli.init:init", "Make a cluster folder to start from"),
        "build": Place("hardway.cli.build:build", "Build stages (default: all) into ./assets"),
        "verify": Place("hardway.cli.verify:verify", "Read the files back and check them"),
        "status": Place("hardway.cli.status:status", "Stages: built, verified, stale, and why"),
        "release": Place("hardway.cli.release.group:release", "What a release image contains"),
        "render": Place("hardway.cli.render:render", "Run the operators' own bootstrap renders"),
    },
    "Real machines": {
        "prerequisites": Place("hardway.cli.prerequisites:prerequisites", "What this machine lacks for the cluster"),
        "network": Place("hardway.cli.network:network", "DNS and load balancer: files and checks"),
        "infra": Place("hardway.cli.infra:infra", "Network, storage and machines in libvirt"),
        "deliver": Place("hardway.cli.deliver:deliver", "Serve each node its Ignition file once"),
        "install": Place("hardway.cli.install.command:install", "Install RHCOS and watch the consoles"),
    },
    "Lab": {
        "lab": Place("hardway.cli.lab.group:lab", "A cluster of booted nodes on this machine"),
    },
    "Shell": {
        "completion": Place("hardway.cli.completion:completion", "Completion for bash, zsh and fish"),
    },
}


@naming_release
@click.command(
    cls=LazyGroup,
    sections=SECTIONS,
    epilog=CODES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "-C",
    "folder",
    type=click.Path(file_okay=False),
    default=".",
    help="The cluster's folder, the one with install-config.yaml; before or after the command. [default: here]",
)
@click.version_option(__version__, prog_name="hardway")
@click.pass_context
def cli(ctx: click.Context, folder: str) -> None:
    """OpenShift the hard way: every artifact of a {minor} cluster (platform none), made by hand and explained.

    \b
    First steps:
      hardway init mycluster          an install-config.yaml to start from
      cd mycluster
      hardway build                   build every file of the cluster into ./assets
      hardway verify                  read the files back and check them
      hardway status                  what is built, verified or stale, and why
      hardway explain cert/root-ca    why a thing exists and what breaks without it
      hardway explain assets/bootstrap-manifests/kube-apiserver-pod.yaml:40
      hardway lab up lab              a running cluster, on this machine alone
    """
    from pathlib import Path  # which the help does not need

    ctx.obj = Path(folder)


cli.params[1:1] = terminal_options(hidden=False)  # after -C
cli.context_class = Context


def main() -> None:
    gc.set_threshold(NEW_OBJECTS)
    _leave_no_core()
    _open_what_is_closed()
    try:
        code = cli(prog_name="hardway", standalone_mode=False)
    except SystemExit:
        if _reader_has_gone():  # which click ends with 1
            sys.exit(CLOSED_PIPE)
        raise
    except HardwayError as error:
        _end(str(error), error.exit_code)
    except click.ClickException as error:
        _end(_said(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _end("interrupted: finished work is kept; run the same command again to continue", 130)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        fix = getattr(error, "fix", "")  # where there is one, the folder is at fault, not the machine
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = fix or ("free space there" if full else "give hardway permission to read and write there")
        _end(f"{name}{error.strerror or error}.\n    fix: {remedy}", 2 if fix else 3)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _open_what_is_closed() -> None:
    """Started with a standard stream closed, as some daemons do: a key file must not get its number, and what is
    printed has somewhere to go."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w"))


def _leave_no_core() -> None:
    """A core would hold the keys that this process has in memory. Programs that it starts inherit the limit."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _reader_has_gone() -> bool:
    """Whether standard output is a pipe that nobody reads from any more."""
    poll = select.poll()
    poll.register(1, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _said(error: click.ClickException) -> str:
    """With click's own words around it, and without its colours: what is printed gets ours."""
    from io import StringIO

    from hardway.cli.terminal.text import styled

    page = StringIO()
    error.show(page)
    return page.getvalue().removesuffix("\n").replace(styled("Usage:", "bold"), "Usage:", 1)


def _end(message: str, code: int) -> NoReturn:
    from hardway.cli.terminal.text import show

    with suppress(OSError):
        show(message, err=True)
    try:
        sys.stdout.flush()
    except OSError:  # what cannot be printed would be tried again, and complained about, when Python ends
        os._exit(code)
    sys.exit(code)
