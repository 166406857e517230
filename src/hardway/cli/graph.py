"""hardway graph: what is made of what."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.options import complete_from, print_json
from hardway.cli.terminal.text import show
from hardway.model.errors import ConfigError


@click.command()
@click.argument(
    "address", required=False, shell_complete=lambda ctx, param, text: complete_from(ctx, text, lambda w: w.graph)
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["dot", "json", "text"]),
    help="Graphviz source, data, or plain lines. [default: dot; with an address: text]",
)
@click.pass_obj
def graph(folder: Path, address: str | None, output: str | None) -> None:
    """The graph of everything that is built for the folder; with ADDRESS, the inputs of that one asset.

    \b
    Examples:
      hardway graph | dot -Tsvg > graph.svg
      hardway graph kubeconfig/admin
    """
    from hardway.graph import dot
    from hardway.stages.table import BUILT
    from hardway.workspace.folder import open_workspace

    whole = open_workspace(folder).graph
    if address is not None and address not in whole:
        raise ConfigError(f"there is no {address}.\n    fix: `hardway graph -o text` lists every address")
    shown = whole.part([address]) if address else whole
    if output == "json":
        print_json(dot.rows(shown))
    elif output == "dot" or (output is None and address is None):
        click.echo(dot.dot(shown, {stage.number: stage.colour for stage in BUILT}), nl=False)
    elif address:
        show(dot.tree(whole, address), nl=False)
    else:
        for name, asset in whole.items():
            show(f"{asset.stage}  {name:60} {asset.path}")
