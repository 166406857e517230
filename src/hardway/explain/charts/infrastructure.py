"""What a cluster stands on: DNS records, balanced ports, programs of this machine, libvirt's objects."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.explain.entry import Entry
from hardway.model.why import because
from hardway.workspace.folder import Workspace


def records(workspace: Workspace) -> Iterator[Entry]:
    from hardway.network.dns.records import ROWS

    for row in ROWS:
        names = ", ".join(name for name, _ in row.hosts(workspace.loaded.cluster))
        yield Entry(address=f"record/{row.name}", why=row.why, facts=(("names", names),))


def ports(workspace: Workspace) -> Iterator[Entry]:
    from hardway.network.frontends import TABLE

    for row in TABLE:
        health = f"{'https' if row.health.tls else 'http'} {row.health.path}: {row.health.why.what}"
        facts = (
            ("port", str(row.port)),
            ("servers", ", ".join(node.name for node in row.nodes(workspace.loaded.cluster))),
            ("health", health),
            ("failure", f"failure/{row.failure}"),
        )
        yield Entry(address=f"port/{row.name}", why=row.why, facts=facts)


def programs(workspace: Workspace) -> Iterator[Entry]:
    from hardway.checks.host.programs import PROGRAMS

    for row in PROGRAMS:
        facts = (("at least", row.minimum), ("stages", row.stages), ("needed for", ", ".join(row.needed)))
        yield Entry(address=f"program/{row.name}", why=row.why, facts=facts)


def libvirt(workspace: Workspace) -> Iterator[Entry]:
    from hardway.libvirt.balancer.unit import TABLE as UNITS
    from hardway.libvirt.choices import LEAST_DISK, SIZES
    from hardway.libvirt.reasons import LIBVIRT, TABLES

    whole = because("", readers="libvirt", source=LIBVIRT)
    for kind, rows in TABLES.items():
        yield from (Entry(address=f"libvirt/{kind}/{path}", why=why.within(whole)) for path, why in rows.items())
    for row in UNITS:
        facts = (("section", row.section), ("value", row.value))
        yield Entry(address=f"libvirt/service/{row.unit}/{row.key}", why=row.why, facts=facts)
    for role, size in SIZES.items():
        text = "{} virtual processors, {} GiB of memory, {} GiB of disk"
        least = text.format(size.vcpus, (size.least_memory or size.memory) // 1024, LEAST_DISK)
        facts = (("size", text.format(size.vcpus, size.memory // 1024, size.disk)), ("minimum", least))
        yield Entry(address=f"size/{role}", why=size.why, facts=facts)
