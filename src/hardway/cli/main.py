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

from hardway.cli.everywhere import Context, output_option, print_version, terminal_options
from hardway.cli.lazy import LazyGroup, Place
from hardway.cli.naming import naming_release
from hardway.cli.terminal.settings import chosen
from hardway.io.harmless import one_line
from hardway.model.errors import EXIT_CODES, HardwayError

CODES = "\b\nExit codes:\n" + "\n".join(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES.items())
CLOSED_PIPE = 141
NEW_OBJECTS = 200_000
"""How many, before Python looks for circles among them: a command makes many that stay, and hardly a circle."""

SECTIONS = {
    "Learn": {
        "explain": Place("hardway.cli.explain:explain", "Why a thing exists and what breaks without it"),
        "guide": Place("hardway.cli.guide:guide", "The guide, in the terminal or a browser"),
        "graph": Place("hardway.cli.graph:graph", "What is made from what"),
        "compare": Place("hardway.cli.compare:compare", "Hand-written against what operators render"),
        "compare-installer": Place("hardway.cli.compare:compare_installer", "Ours against openshift-install's"),
        "bootkube": Place("hardway.cli.bootkube:bootkube", "bootkube.sh as separate steps"),
    },
    "Build": {
        "init": Place("hardway.cli.init:init", "Make a cluster folder to start from"),
        "build": Place("hardway.cli.build:build", "Build stages (default: all) into ./assets"),
        "verify": Place("hardway.cli.verify:verify", "Read the files back and check them"),
        "doctor": Place("hardway.cli.doctor:doctor", "What is wrong, why, and what to do"),
        "gather": Place("hardway.cli.gather:gather", "An archive of what can be seen, without secrets"),
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
        "bmc": Place("hardway.cli.bmc:bmc", "Machines with a BMC: start from a medium"),
        "ssh": Place("hardway.cli.ssh:ssh", "Log in to a node; its host key is known"),
        "up": Place("hardway.cli.own.up:up", "Stages 10 to 17, on libvirt or machines of your own"),
        "run": Place("hardway.cli.own.run:run", "One of these stages, with its purpose and its checks"),
        "approve": Place("hardway.cli.approve:approve", "Approve certificate requests by plan"),
        "exec": Place("hardway.cli.own.node:exec_", "Run a program on a node, as root"),
        "logs": Place("hardway.cli.own.node:logs", "The journal of a node or of a unit"),
        "kubectl": Place("hardway.cli.own.node:kubectl", "kubectl as the administrator"),
        "stop": Place("hardway.cli.own.power:stop", "Switch a node off"),
        "start": Place("hardway.cli.own.power:start", "Switch a node on, or all of them"),
        "down": Place("hardway.cli.own.down:down", "Remove the cluster from where it runs"),
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
@click.option("--version", is_flag=True, expose_value=False, callback=print_version, help="Show the version and exit.")
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

    With -o json, standard output has data, and standard error has each error as a line of JSON with the keys error,
    place, fix and exitCode.
    """
    from pathlib import Path  # which the help does not need

    ctx.obj = Path(folder)
    chosen.folder = folder


cli.params[1:1] = [output_option(), *terminal_options(hidden=False)]  # after -C
cli.context_class = Context


def main() -> None:
    gc.set_threshold(NEW_OBJECTS)
    _leave_no_core()
    _mask_modes()
    _open_what_is_closed()
    try:
        code = cli(prog_name="hardway", standalone_mode=False)
    except SystemExit:
        if _reader_has_gone():  # which click ends with 1
            sys.exit(CLOSED_PIPE)
        raise
    except HardwayError as error:
        _end(error, str(error), error.exit_code)
    except click.UsageError as error:
        _end(error, _said(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt) as error:
        kept = str(error) or "finished work is kept.\n    fix: run the same command again to continue"
        _end(error, f"interrupted; {kept}", 130)
    except OSError as error:
        name = f"{one_line(os.fsdecode(error.filename))}: " if error.filename else ""
        fix = getattr(error, "fix", "")  # where there is one, the folder is at fault, not the machine
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = fix or ("free space there" if full else "give hardway permission to read and write there")
        _end(error, f"{name}{error.strerror or error}.\n    fix: {remedy}", 2 if fix else 3)
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


def _mask_modes() -> None:
    """Whatever the shell says: nobody else may write to what is made, and its owner may use it."""
    os.umask(os.umask(0o077) & 0o077 | 0o022)


def _reader_has_gone() -> bool:
    """Whether standard output is a pipe that nobody reads from any more."""
    poll = select.poll()
    poll.register(1, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _said(error: click.UsageError) -> str:
    from hardway.cli import failure

    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()  # the help itself
    return "\n    fix: ".join(failure.usage(error))


def _end(error: BaseException, message: str, code: int) -> NoReturn:
    from hardway.cli import failure
    from hardway.cli.terminal.text import show

    with suppress(OSError):
        if failure.in_json(error):
            click.echo(failure.lines(error, message, code), err=True)
        else:
            show(message, err=True)
    try:
        sys.stdout.flush()
    except OSError:  # what cannot be printed would be tried again, and complained about, when Python ends
        os._exit(code)
    sys.exit(code)
