"""Everything under the nodes: network, names, load balancer, registry with the release, and the nodes' own files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hardway.drive import record
from hardway.graph.build import silent
from hardway.lab import (
    cluster_files,
    image_store,
    network,
    owner,
    registry_storage,
    releases,
    root,
    services,
)
from hardway.lab.machines import LabMachines
from hardway.lab.paths import BALANCER, LabPaths, lab_paths
from hardway.labrelease import push, release
from hardway.labrelease.checkouts.made import Made
from hardway.labrelease.components.table import of
from hardway.labrelease.images.table import Set
from hardway.labrelease.materials import Materials, kept_materials, materials, uncompiled
from hardway.model.cluster import Cluster
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ToolError
from hardway.model.settings.file import Options
from hardway.pipeline.build import Request, Watchers, run
from hardway.stages.table import BUILT
from hardway.workspace.folder import open_workspace, planned
from hardway.workspace.names import ASSETS, RELEASE
from hardway.workspace.release import recorded

Progress = Callable[[str, int, int], None]
UNPACKED = ("hyperkube", "etcd", "pod", "kube-proxy", "cluster-policy-controller", "hardway-lab-operator")
"""Images that many nodes run: unpacked once for all of them. The release image is another, and each lab's own."""


BALANCER_LET_GO = "balancer"  # the milestone


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    folder: Path
    paths: LabPaths
    cluster: Cluster
    materials: Materials

    @property
    def machines(self) -> LabMachines:
        assets = self.folder / ASSETS
        return LabMachines(paths=self.paths, cluster=self.cluster, assets=assets, materials=self.materials)


def paths_of(cluster: Cluster, folder: Path) -> LabPaths:
    """One lab a cluster's name; two labs beside each other have two names, and two networks. `folder` is the
    cluster's: another folder with a cluster of the same name has no part in the lab."""
    return lab_paths(cluster.name, cluster=folder)


def prepare(
    folder: Path,
    *,
    progress: Progress,
    watchers: Watchers | None = None,
    made: Sequence[Made] | None = None,
) -> Prepared:
    """All of it, and twice if need be: what is there already stays. Whether the machine can is the caller's to ask.
    `made` is what the release has from checkouts; without it, what the lab's release had before."""
    cluster = planned(folder)
    chosen = cluster_files.SETS[cluster.road]
    place = paths_of(cluster, folder)
    cluster_files.point_at(folder, cluster_files.reference(services.registry_host(cluster), chosen))
    nodes = materials(progress=lambda name, done, total, what: progress(f"compiling {name}: {what}", done, total))
    root.base(progress=progress)
    network.up(place, cluster)
    services.up(place, cluster, without=_let_go(place, cluster))
    built = _release(place, cluster, folder, chosen, releases.installed(place) if made is None else made, progress)
    _build(folder, watchers or Watchers(made=silent, fetched=progress, say=lambda what: progress(what, 0, 0)))
    owner.settle(place)
    _unpack(place, built, progress)
    return Prepared(folder=folder, paths=place, cluster=open_workspace(folder).loaded.cluster, materials=nodes)


def _let_go(place: LabPaths, cluster: Cluster) -> tuple[str, ...]:
    """A load balancer that is started anew does not know that the bootstrap node was taken out."""
    return (cluster.bootstrap.name,) if BALANCER_LET_GO in record.reached(place.folder) else ()


def opened(folder: Path) -> Prepared:
    """A lab that was prepared before."""
    cluster = open_workspace(folder).loaded.cluster
    kept = kept_materials()
    if kept is None:
        raise ToolError(
            f"lab {cluster.name}: the programs of its nodes are not compiled.\n"
            "    fix: compile them with `hardway lab up`, which shows its progress"
        )
    return Prepared(folder=folder, paths=paths_of(cluster, folder), cluster=cluster, materials=kept)


def to_compile(cluster: Cluster, without: Collection[str] = ()) -> list[str]:
    """The components that `prepare` would compile, by name."""
    rows = release.rows_of(cluster_files.SETS[cluster.road], without)
    return uncompiled(list(dict.fromkeys((*of("node"), *rows))))


def repository(cluster: Cluster) -> str:
    """Of the lab's release, as nodes see it."""
    return f"{services.registry(cluster)}/{cluster_files.REPOSITORY}"


def serve(place: LabPaths, built: release.Built, progress: Progress, *, besides: Collection[str] = ()) -> None:
    """The lab's registry has the release afterwards; `besides` are images that it has already."""
    registry_storage.seed(services.storage(place), built.folder, cluster_files.REPOSITORY)
    with services.writable(place) as writer:
        enter = tuple(network.command(place, BALANCER, []))
        pushed = replace(built, repository=f"{writer}/{cluster_files.REPOSITORY}")
        push.push(pushed, push.Target(insecure=True, enter=enter), progress, besides=besides)


def _release(
    place: LabPaths, cluster: Cluster, folder: Path, chosen: Set, made: Sequence[Made], progress: Progress
) -> release.Built:
    built = release.build(chosen, registry=repository(cluster), progress=progress, made=made)
    serve(place, built, progress)
    releases.keep(place, built, install=True)
    record = recorded(folder / ASSETS)
    if record and record["image"] != built.pull_spec:
        shutil.rmtree(folder / ASSETS / RELEASE)  # the same name, but another release since
    return built


def _build(folder: Path, watchers: Watchers) -> None:
    request = Request(folder=folder, options=Options(), stages=BUILT, named=True)
    run(request, SystemEntropy(), watchers)


def _unpack(place: LabPaths, built: release.Built, progress: Progress) -> None:
    common = {built.images[name]: f"oci:{built.folder}:{name}" for name in UNPACKED}
    image_store.begin(place, built.chosen, common, progress=progress)
    wanted = {f"{built.repository}@{digest}": source for digest, source in common.items()}
    wanted[built.pull_spec] = f"oci:{built.folder}:{release.RELEASE}"
    image_store.fill(place, wanted, progress=progress)
