"""hardway lab: a cluster of booted nodes on this machine, and the release that it runs."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "release": "hardway.cli.lab_release:release",
}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name].split(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


@click.command(cls=LazyGroup)
def lab() -> None:
    """A cluster of booted nodes on this machine, without virtual machines and without a pull secret.

    \b
    hardway lab release build    the release that its nodes run, from pinned Go modules
    """
