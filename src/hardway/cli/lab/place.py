"""Which lab, and which of its nodes, a command is about."""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.options import complete_node
from hardway.model.errors import ConfigError, ToolError

if TYPE_CHECKING:
    from hardway.lab.paths import LabPaths
    from hardway.model.cluster import Cluster

directory_argument = click.argument(
    "directory", type=click.Path(path_type=Path, file_okay=False), default=Path(), metavar="[DIR]"
)


def as_root() -> None:
    """Looking at a lab takes root as well: its nodes are entered, its keys are root's."""
    if os.geteuid() != 0:
        raise ToolError("a lab needs root, for namespaces and keys.\n    fix: run it with sudo")


def lab_of(folder: Path) -> tuple[LabPaths, Cluster]:
    """As planned; whether any of it is there is another question. A lab of this name that is another folder's is
    refused: nothing of it is shown, entered, stopped or removed from here."""
    from hardway.lab import owner
    from hardway.lab.prepared import paths_of
    from hardway.workspace.folder import planned
    from hardway.workspace.names import INSTALL_CONFIG

    if not (folder / INSTALL_CONFIG).exists():
        fix = "name a lab's folder, or bring one up with `hardway lab up DIR`"
        raise ConfigError(f"{folder}: no lab's cluster is here: {INSTALL_CONFIG} is missing.\n    fix: {fix}")
    cluster = planned(folder)
    paths = paths_of(cluster, folder)
    owner.demand(paths)
    return paths, cluster


def choose(names: Sequence[str], wanted: str, what: str) -> str:
    """The name itself, if it is one of them."""
    if wanted in names:
        return wanted
    near = get_close_matches(wanted, names, n=1)
    hint = f"did you mean {near[0]}?" if near else "name one of them"
    raise ConfigError(f"{what} has no {wanted!r}, only {', '.join(names)}.\n    fix: {hint}")


def node_of(folder: Path, wanted: str) -> tuple[LabPaths, Cluster, str]:
    """A node of the plan, by its name."""
    paths, cluster = lab_of(folder)
    return paths, cluster, choose([n.name for n in cluster.nodes], wanted, f"lab {paths.name}")


def there(paths: LabPaths, node: str) -> None:
    """Of a node without a root there is nothing to see."""
    if node not in paths.laid_out():
        raise ToolError(
            f"lab {paths.name}: {node} does not exist yet.\n    fix: bring the lab up with `hardway lab up`"
        )


node_argument = click.argument("node", shell_complete=complete_node)
replace_option = click.option(
    "--replace",
    "replaced",
    multiple=True,
    metavar="NODE",
    shell_complete=complete_node,
    help="This node was reinstalled: approve its new key, once.",
)


def replacing(cluster: Cluster, folder: Path, nodes: tuple[str, ...]) -> None:
    """The operator's word that these nodes may have another key."""
    from hardway.drive.csr.memory import allow
    from hardway.workspace.names import ASSETS

    joining = [node.name for node in (*cluster.masters, *cluster.workers)]
    chosen = [choose(joining, name, "--replace") for name in nodes]
    if chosen:
        allow(folder / ASSETS, chosen)
