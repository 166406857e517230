"""Questions to the person at the terminal. Where nobody is there to ask, nothing is asked and the answer is no."""

from __future__ import annotations

import sys

import click

from hardway.model.errors import ConfigError


def someone_there() -> bool:
    """Questions go to standard error: standard output belongs to what the command says."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def demand_yes(yes: bool) -> None:
    """For a command that removes things: `yes` is its --yes."""
    if yes:
        return
    if not someone_there():
        raise ConfigError("nothing was removed: there is no terminal to ask on.\n    fix: give --yes")
    try:
        agreed = click.confirm("Remove all of this?", err=True)
    except click.Abort:
        raise click.Abort("nothing was removed.\n    fix: answer y, or give --yes") from None
    if not agreed:
        raise ConfigError("nothing was removed.\n    fix: answer y, or give --yes")
