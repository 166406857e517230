"""The catalogue: the only list of what a configuration asks for.

Builds make what is in it, `explain` and the reference give its reasons, and checks compare files with its tables. A
part's tables are imported when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardway.emit.document import Comments, Document, asset
from hardway.graph.asset import Asset, Graph
from hardway.model.cluster import Cluster
from hardway.model.stages import NAMES
from hardway.model.why import Why

if TYPE_CHECKING:
    from hardway.ignition.base import Base, Pool
    from hardway.ignition.bootstrap import Embedded
    from hardway.model.config.load import Loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a stage makes from the tables of one package: YAML documents, and files of other kinds."""

    stage: str
    documents: Callable[[Cluster], Iterable[Document]] = lambda cluster: ()
    files: Callable[[Cluster], Iterable[Asset]] = lambda cluster: ()

    def rows(self, cluster: Cluster) -> Iterator[Asset | Document]:
        yield from self.files(cluster)
        yield from self.documents(cluster)

    def assets(self, cluster: Cluster, comments: Comments) -> Iterator[Asset]:
        yield from self.files(cluster)
        yield from (asset(document, stage=self.stage, comments=comments) for document in self.documents(cluster))


def _plan(cluster: Cluster) -> Iterable[Document]:
    from hardway.plan.document import PLAN

    return (PLAN,)


def _identities(cluster: Cluster) -> Iterable[Asset]:
    from hardway.manifests import identity

    return identity.assets(cluster)


def _pki(cluster: Cluster) -> Iterable[Asset]:
    from hardway.pki import assets

    return assets.assets(cluster)


def _kubeconfigs(cluster: Cluster) -> Iterable[Document]:
    from hardway.kubeconfigs import render

    return render.documents(cluster)


def _pods(cluster: Cluster) -> Iterable[Document]:
    from hardway.staticpods.pods import documents

    return documents(cluster)


def _manifests(cluster: Cluster) -> Iterable[Document]:
    from hardway.manifests import table

    replaced = {own.address for own in cluster.own if own.replaces}
    return (document for document in table.documents(cluster) if document.address not in replaced)


def _patches(cluster: Cluster) -> Iterable[Asset]:
    from hardway.manifests import cvo

    return cvo.patches()


def _own(cluster: Cluster) -> Iterable[Asset]:
    from hardway.manifests import own

    return own.assets(cluster)


def _ssh(cluster: Cluster) -> Iterable[Asset]:
    from hardway.ignition import ssh

    return ssh.assets(cluster)


PLAN = Part(stage="03", documents=_plan)
IDENTITIES = Part(stage="03", files=_identities)
PKI = Part(stage="05", files=_pki)
KUBECONFIGS = Part(stage="06", documents=_kubeconfigs)
PODS = Part(stage="07", documents=_pods)
MANIFESTS = Part(stage="07", documents=_manifests, files=_patches)
OWN = Part(stage="07", files=_own)
SSH = Part(stage="08", files=_ssh)

PARTS = (PLAN, IDENTITIES, PKI, KUBECONFIGS, PODS, MANIFESTS, OWN, SSH)


def documents(cluster: Cluster) -> tuple[Document, ...]:
    """Every YAML document, with the reasons of its fields."""
    return tuple(document for part in PARTS for document in part.documents(cluster))


def paths(cluster: Cluster) -> dict[str, str]:
    """Where the tables put each thing, by its address."""
    return {row.address: row.path for part in PARTS for row in part.rows(cluster)}


def embedded(cluster: Cluster) -> tuple[Embedded, ...]:
    """What of stage 07 goes onto the bootstrap node."""
    from hardway.ignition import bootstrap

    return bootstrap.embedded([*PODS.rows(cluster), *MANIFESTS.rows(cluster), *OWN.rows(cluster)])


def node_reasons(
    cluster: Cluster, *, crds: Mapping[str, bytes] | None = None, base: Mapping[Pool, Base] | None = None
) -> dict[str, Why]:
    """Why each file and unit is on a node, by address."""
    from hardway.ignition.reasons import reasons

    return reasons(cluster, embedded(cluster), crds=crds, base=base)


def make_graph(
    loaded: Loaded, base: Mapping[Pool, Base] | None = None, crds: Mapping[str, bytes] | None = None
) -> Graph:
    """All of it, with what is made of the whole: the nodes' Ignition files, and the map."""
    from hardway.ignition import assets as ignition
    from hardway.plan.map import atlas

    cluster, comments = loaded.cluster, loaded.settings.comments
    made = {part: list(part.assets(cluster, comments)) for part in PARTS}
    nodes = ignition.assets(cluster, embedded(cluster), crds=crds or {}, base=base)
    shown = [row for part in PARTS if part is not PLAN for row in made[part]]
    titles = {stage.number: stage.title for stage in NAMES.values()}
    return Graph([*made[PLAN], atlas([*shown, *nodes], titles), *shown, *nodes])
