"""Stage 08 as assets: the bootstrap node's file, and one for each node if MCO's render is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

from hardway.emit import ignition
from hardway.graph.asset import Asset, Given, digest
from hardway.ignition import bootstrap, ssh
from hardway.ignition.base import Base, Pool, missing
from hardway.ignition.node import file as node
from hardway.ignition.rows import SECRET
from hardway.lines.sources import source
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because

STAGE = "08"

BOOTSTRAP = because(
    "The bootstrap node, complete: keys, kubeconfigs, static pods, manifests, units and the script that runs them.",
    readers="Ignition, at the first boot of the bootstrap machine",
    breaks="there is no first control plane",
    source=source("installer", "pkg/asset/ignition/bootstrap"),
)
MEMBER = because(
    "This node, complete: MCO's render, what the machine-config server would have added, and its own name and "
    "addresses. It fetches nothing at boot.",
    readers="Ignition, at the first boot of this machine",
    breaks="the machine boots empty",
    source=source("machine-config-operator", "pkg/server"),
)


def assets(
    cluster: Cluster,
    embedded: tuple[bootstrap.Embedded, ...],
    *,
    crds: Mapping[str, bytes] | None = None,
    base: Mapping[Pool, Base] | None = None,
) -> list[Asset]:
    """Without a base there are no files for masters and workers: they have nothing to stand on."""
    return [_bootstrap(cluster, embedded, crds or {}), *_members(cluster, base)]


def _bootstrap(cluster: Cluster, documents: tuple[bootstrap.Embedded, ...], crds: Mapping[str, bytes]) -> Asset:
    rows = bootstrap.file_rows(cluster, documents, crds)
    needs = dict.fromkeys([row.source for row in rows if row.source] + [bootstrap.SSH, *ssh.login_needs(cluster)])
    return Asset(
        address="ignition/bootstrap",
        stage=STAGE,
        path="bootstrap.ign",
        mode=SECRET,
        kind="derived",
        make=partial(bootstrap.make, rows),
        needs=tuple(needs),
        params=tuple((name, digest(content)) for name, content in sorted(crds.items())),
        why=BOOTSTRAP,
    )


def _members(cluster: Cluster, base: Mapping[Pool, Base] | None) -> Iterator[Asset]:
    if base is None:
        return
    pools: dict[Pool, tuple[Node, ...]] = {"master": cluster.masters, "worker": cluster.workers}
    for pool, nodes in pools.items():
        if nodes and pool not in base:
            raise missing(pool, next(iter(base.values())).file)
        for member in nodes:
            yield _member(cluster, member, base[pool])


def _member(cluster: Cluster, member: Node, base: Base) -> Asset:
    return Asset(
        address=f"ignition/{member.name}",
        stage=STAGE,
        path=f"{member.name}.ign",
        mode=SECRET,
        kind="derived",
        make=partial(_make_member, member, base),
        needs=(
            *(row.source for row in node.shared_rows(base, cluster) if row.source),
            *ssh.host_keys([member]),
            *ssh.login_needs(cluster),
        ),
        params=(member, base.digest),
        why=MEMBER,
    )


def _make_member(member: Node, base: Base, given: Given) -> bytes:
    contents = tuple((row.source, given[row.source]) for row in node.shared_rows(base, given.cluster) if row.source)
    prepared = _prepared(base, contents, ssh.login(given))
    host_keys = {row.path: given[row.of(member)] for row in ssh.HOST_KEYS}
    return node.node_ignition(given.cluster, member, host_keys, prepared)


@lru_cache(maxsize=4)
def _prepared(base: Base, contents: tuple[tuple[str, bytes], ...], ssh_key: str) -> ignition.Prepared:
    """The same for all nodes of a pool, so it is encoded once and not once a node."""
    return node.prepare(base, dict(contents), ssh_key)
