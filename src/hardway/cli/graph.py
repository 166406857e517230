"""hardway graph: what is made of what."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.options import complete_from, keep_output, print_json
from hardway.cli.terminal.text import show
from hardway.model.errors import ConfigError
from hardway.stages.table import BUILT, find

if TYPE_CHECKING:
    from hardway.graph.asset import Graph
    from hardway.workspace.folder import Workspace

ALL = "`hardway graph -o text` lists every address"


def complete_built(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return complete_from(ctx, incomplete, lambda workspace: _stages(workspace.graph))


def complete_family(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.pki.row import FAMILIES

    return [name for name in FAMILIES if name.startswith(incomplete)]


@click.command()
@click.argument(
    "address", required=False, shell_complete=lambda ctx, param, text: complete_from(ctx, text, lambda w: w.graph)
)
@click.option(
    "--stage", metavar="STAGE", shell_complete=complete_built, help="Only what this stage makes, and its direct inputs."
)
@click.option(
    "--family",
    metavar="NAME",
    shell_complete=complete_family,
    help="Only this family of the PKI: root, etcd, kubernetes, front-proxy, service-account or admin.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["dot", "mermaid", "json", "text"]),
    is_eager=True,
    callback=keep_output,
    help="Graphviz source, Mermaid for Markdown, data, or plain lines. [default: dot; with an address: text]",
)
@click.pass_obj
def graph(folder: Path, address: str | None, stage: str | None, family: str | None, output: str | None) -> None:
    """The graph of everything that is built for the folder; with ADDRESS, the inputs of that one asset. An address
    that ends with a slash lists those that begin so.

    An arrow leads from an input to what is made of it. GitHub draws what -o mermaid prints, in a Markdown block that
    begins with ```mermaid.

    \b
    Examples:
      hardway graph | dot -Tsvg > graph.svg
      hardway graph --stage 06 -o mermaid
      hardway graph --family etcd | dot -Tsvg > etcd.svg
      hardway graph kubeconfig/admin
      hardway graph kubeconfig/
    """
    from hardway.graph import dot
    from hardway.workspace.folder import open_workspace

    if sum(given is not None for given in (address, stage, family)) > 1:
        raise ConfigError("ADDRESS, --stage and --family exclude each other.\n    fix: give one of them")
    workspace = open_workspace(folder)
    whole, shown = workspace.graph, _shown(workspace, address, stage, family)
    colours = {row.number: row.colour for row in BUILT}
    if output == "json":
        print_json(dot.rows(whole[name] for name in shown))
    elif output == "mermaid":
        click.echo(dot.mermaid(shown, colours), nl=False)
    elif output == "dot" or (output is None and not address):
        click.echo(dot.dot(shown, colours), nl=False)
    elif address and not address.endswith("/"):
        show(dot.tree(whole, _named(whole, address)[0]), nl=False)
    else:
        for name in _named(whole, address) if address else shown:
            show(f"{whole[name].stage}  {name:60} {whole[name].path}")


def _shown(workspace: Workspace, address: str | None, stage: str | None, family: str | None) -> Graph:
    whole = workspace.graph
    if address:
        return whole.part(_named(whole, address))
    if stage is not None:
        return whole.around(_of_stage(whole, stage))
    return whole if family is None else whole.around(_of_family(workspace, family))


def _stages(whole: Graph) -> list[str]:
    """Those that make files here, by number and name."""
    numbers = {asset.stage for asset in whole.values()}
    return [f"{row.number}-{row.name}" for row in BUILT if row.number in numbers]


def _of_stage(whole: Graph, text: str) -> list[str]:
    stage = find(text)
    found = [address for address, asset in whole.items() if asset.stage == stage.number]
    if not found:
        fix = f"name one of: {', '.join(_stages(whole))}"
        raise ConfigError(f"stage {stage.number} {stage.name} has no files in the graph.\n    fix: {fix}")
    return found


def _of_family(workspace: Workspace, text: str) -> list[str]:
    from hardway.pki.assets import of_family
    from hardway.pki.row import FAMILIES

    family = next((name for name in FAMILIES if name == text.lower()), None)
    if family is None:
        near = get_close_matches(text.lower(), FAMILIES, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ConfigError(f"family {text!r} not found.\n    fix: {hint}name one of: {', '.join(FAMILIES)}")
    return of_family(family, workspace.loaded.cluster)


def _named(whole: Graph, address: str) -> list[str]:
    """The one that it is or must mean; those that begin so, if it ends with a slash."""
    from hardway.explain import atlas

    if address.endswith("/"):
        found = [name for name in whole if name.startswith(address)]
        if not found:
            raise ConfigError(f"no address begins with {address}.\n    fix: {ALL}")
        return found
    meant = [address] if address in whole else atlas.meant_by(address, whole)
    if len(meant) != 1:
        raise ConfigError(atlas.unknown(address, address, meant, whole, command="hardway graph", complete=ALL))
    return meant
