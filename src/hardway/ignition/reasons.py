"""Why each file and unit is on a node, by address: file/NODE:/path, unit/NODE:NAME."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardway.ignition import bootstrap
from hardway.ignition.base import POOLS, Base, Pool
from hardway.ignition.node import table
from hardway.lines.sources import source
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because

RENDERED = because(
    "Rendered by MCO from the release's templates and this cluster's configuration: the operating-system layer, "
    "which the machine-config daemon manages from the first boot.",
    readers="the operating system; the machine-config daemon compares it with the cluster's own render",
    breaks="the node differs from what MCO expects, and its pool is degraded (F22)",
    source=source("machine-config-operator", "templates/"),
)


def reasons(
    cluster: Cluster,
    embedded: tuple[bootstrap.Embedded, ...],
    *,
    crds: Mapping[str, bytes] | None = None,
    base: Mapping[Pool, Base] | None = None,
) -> dict[str, Why]:
    """Files and units are explained once for the bootstrap node, once for all masters and once for all workers."""
    found = dict(_bootstrap(cluster, embedded, crds or {}))
    for pool in POOLS:
        found |= {f"file/{pool}:{row.path}": row.why for row in table.table(pool, cluster)}
        for address in _rendered(pool, (base or {}).get(pool)):
            found.setdefault(address, RENDERED)
    return found


def _bootstrap(
    cluster: Cluster, embedded: tuple[bootstrap.Embedded, ...], crds: Mapping[str, bytes]
) -> Iterator[tuple[str, Why]]:
    for row in bootstrap.file_rows(cluster, embedded, crds):
        yield f"file/bootstrap:{row.path}", row.why
    for unit in bootstrap.UNITS:
        yield f"unit/bootstrap:{unit.name}", unit.why


def _rendered(pool: Pool, base: Base | None) -> Iterator[str]:
    if base is None:
        return
    yield from (f"file/{pool}:{entry['path']}" for entry in base.section("storage", "files"))
    yield from (f"unit/{pool}:{entry['name']}" for entry in base.section("systemd", "units"))
