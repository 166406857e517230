"""The rendered road: bootkube's stages, run on the lab's bootstrap node from what the release's operators render."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hardway.bootkube.context import Context
from hardway.bootkube.row import Stage
from hardway.bootkube.run import chosen, run
from hardway.bootkube.table import BY_NAME
from hardway.drive.events import Event
from hardway.drive.live import ETCD_BY_OPERATOR, ETCD_FILES
from hardway.lab import network
from hardway.lab.prepared import Prepared
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError, ToolError
from hardway.registry import podman
from hardway.registry.choose import access_of
from hardway.render.operators.inputs import facts
from hardway.render.operators.row import OPT
from hardway.workspace.folder import open_workspace

if TYPE_CHECKING:
    from hardway.lab.up import Watch

LAST = BY_NAME["cb-bootstrap"]  # what comes after it waits for masters, and is stage 12's
ETCD = BY_NAME["etcd-bootstrap"]
STAGE = "10"


def bootstrap(prepared: Prepared, watch: Watch) -> None:
    """Until the temporary control plane runs and every manifest is created. What is done already stays."""
    node, begun = prepared.cluster.bootstrap.name, time.monotonic()

    def tell(text: str) -> None:
        seconds = round(time.monotonic() - begun, 1)
        watch.listener(Event(kind="acted", seconds=seconds, stage=STAGE, text=text, node=node))

    if not prepared.machines.running(node):
        tell(f"{node} is switched on")
        prepared.machines.start(node)
    ctx = context(prepared, tell)

    def stage_told(stage: Stage, what: str) -> None:
        if what == "begins":
            tell(f"bootkube {stage.title}")
        elif stage == ETCD:
            keep_access(ctx)

    run(ctx, chosen(last=LAST), stage_told)


def context(prepared: Prepared, say: Callable[[str], None]) -> Context:
    """The node as bootkube's stages see it. The lab's nodes have no podman: programs of images run beside them, on the
    node's network, with the node's own /opt/openshift."""
    node = prepared.cluster.bootstrap.name
    workspace = open_workspace(prepared.folder)
    enter = tuple(network.command(prepared.paths, node, []))
    return Context(
        root=prepared.paths.node(node) / "root",
        run=lambda argv: prepared.machines.run(node, argv),
        machine=podman.Machine(name=node, enter=enter),
        workspace=workspace,
        facts=facts(workspace),
        access=access_of(workspace.loaded),
        say=say,
    )


def keep_access(ctx: Context) -> None:
    """The etcd operator has made a PKI of its own: whoever drives needs the client pair that it made."""
    for name in ETCD_FILES:
        content = ctx.read(f"{OPT}/tls/{name}")
        ctx.workspace.store.write(f"{ETCD_BY_OPERATOR}/{name}", content, 0o600)


def demand_road(folder: Path, cluster: Cluster) -> None:
    """For a stage that is to be run alone."""
    if cluster.road != "rendered":
        raise ConfigError(
            f"{folder}: its road is {cluster.road}, where the bootstrap node has its pods from the first boot.\n"
            "    fix: bring a lab up with `hardway lab up DIR --road rendered`"
        )


def demand_node(prepared: Prepared) -> None:
    node = prepared.cluster.bootstrap.name
    if not prepared.machines.running(node):
        raise ToolError(
            f"lab {prepared.paths.name}: {node} is not running.\n    fix: bring the lab up with `hardway lab up`"
        )
