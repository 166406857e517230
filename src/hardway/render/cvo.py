"""The two CRDs that no payload holds: the cluster-version operator brings its own, in its image, and renders them.

Without them nothing can be told which release to become: ClusterVersion is the first object that needs them.
"""

from __future__ import annotations

from pathlib import Path

from hardway.graph.asset import Graph
from hardway.graph.store import Store
from hardway.io import atomic, links
from hardway.io.folder import beside
from hardway.model.cluster import Release
from hardway.model.errors import ToolError
from hardway.registry import podman
from hardway.registry.access import Access
from hardway.release.crds import VERSION_OPERATOR, select
from hardway.render.failures import explain

PROGRAM = "/usr/bin/cluster-version-operator"
GATES = "manifest/99_feature-gate.yaml"
MARK = "cluster-version-operator"  # in the names of its manifests


def present(folder: Path) -> bool:
    return len(list(folder.glob(f"*{MARK}*.yaml"))) >= len(VERSION_OPERATOR)


def add_crds(graph: Graph, store: Store, release: Release, access: Access, folder: Path) -> None:
    """Let the release image render, and keep of it what is a CRD."""
    links.refuse(folder)
    with beside(folder) as scratch:
        source, target = scratch / "input", scratch / "output"
        source.mkdir()
        target.mkdir()
        gates = graph[GATES].path
        (source / Path(gates).name).write_bytes(store.read(gates) or b"")
        argv = ["render", "--output-dir=/output", f"--release-image={release.image}"]
        argv += [f"--feature-gate-manifest-path=/input/{Path(gates).name}"]
        mounts = [
            podman.Mount(source=source, target="/input"),
            podman.Mount(source=target, target="/output", writable=True),
        ]
        done = podman.run_program(release.image, PROGRAM, argv, mounts=mounts, access=access)
        if not done.ok:
            raise ToolError(explain("the cluster-version operator's render", done))
        made = {f.name: f.read_bytes() for f in sorted((target / "manifests").glob("*.yaml"))}
        for name, content in select(made).items():
            atomic.write(folder / name, content)
