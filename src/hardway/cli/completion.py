"""hardway completion: shell completion scripts."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from hardway.cli.main import cli


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash:  eval "$(hardway completion bash)"
    zsh:   eval "$(hardway completion zsh)"
    fish:  hardway completion fish | source
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "hardway", "_HARDWAY_COMPLETE").source())
