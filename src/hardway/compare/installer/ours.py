"""Our side of the comparison: what hardway makes of an install-config, built aside and thrown away."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hardway.graph.build import Builder
from hardway.graph.store import Store
from hardway.model.config.load import Inputs, load
from hardway.model.entropy import SystemEntropy
from hardway.release.catalogue import release_for
from hardway.workspace.folder import make_graph


def bootstrap_ignition(install_config: str) -> bytes:
    """The bootstrap.ign of a cluster with this install-config."""
    loaded = load(Inputs(install_config=install_config), release_for)
    graph = make_graph(loaded)
    with TemporaryDirectory(prefix="hardway-compare-") as scratch:
        store = Store(Path(scratch) / "assets")
        builder = Builder(graph=graph, cluster=loaded.cluster, store=store, entropy=SystemEntropy())
        builder.build(["ignition/bootstrap"])
        return store.read(graph["ignition/bootstrap"].path) or b""
