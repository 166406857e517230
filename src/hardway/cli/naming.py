"""The built-in release's version in the help of commands."""

from __future__ import annotations

from typing import TypeVar

import click

from hardway.lines.builtin import MINOR, RELEASE

Command = TypeVar("Command", bound=click.Command)


def naming_release(command: Command) -> Command:
    """In the command's help, {release} becomes the version of the built-in release, {minor} that of its line."""
    assert command.help
    command.help = command.help.replace("{release}", RELEASE).replace("{minor}", MINOR)
    return command
