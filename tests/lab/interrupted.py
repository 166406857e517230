"""Starts a lab as far as it gets; test_interrupted kills it on the way."""

from __future__ import annotations

import sys
from pathlib import Path

from hardway.lab import network, node, services
from hardway.lab.paths import lab_paths
from hardway.labrelease.materials import materials
from hardway.workspace.folder import open_workspace


def main(name: str, place: Path, folder: Path) -> None:
    cluster = open_workspace(folder).loaded.cluster
    lab = lab_paths(name, place)
    print("ready", flush=True)
    network.up(lab, cluster)
    services.up(lab, cluster)
    for row in cluster.nodes:
        node.lay_out(lab, cluster, row, folder / "assets" / f"{row.name}.ign", materials())
        node.start(lab, row.name)
    print("up", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
