"""Configurations of load balancer and name server that somebody wrote: read, and judged by the same tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hardway.checks.network import dns
from hardway.checks.network.haproxy import table
from hardway.checks.network.target import Expect, Target
from hardway.io import plain
from hardway.model.check import Report, run
from hardway.model.cluster import Cluster
from hardway.model.entropy import Entropy
from hardway.model.errors import ConfigError
from hardway.network.dns import files
from hardway.network.dns.zone import read_zone


def judge(
    cluster: Cluster,
    entropy: Entropy,
    expect: Expect,
    *,
    haproxy: Iterable[str] = (),
    dnsmasq: Iterable[str] = (),
    zones: tuple[str, ...] = (),
) -> Report:
    """Nothing is asked over the network: the files say it all. Zones belong together: they are one server's."""
    reports = [table.check(file, _text(file), cluster, expect) for file in haproxy]
    sources = [files.read_dnsmasq(file, _text(file)) for file in dnsmasq]
    if zones:
        names = " and ".join(zone.rpartition("=")[2] for zone in zones)
        sources.append(files.merged(names, [read_zone(zone) for zone in zones]))
    if sources:
        target = Target(cluster=cluster, servers=sources, entropy=entropy, expect=expect)
        reports.append(run(dns.TABLE, target))
    return Report.merge(reports)


def _text(file: str) -> str:
    try:
        return plain.text(Path(file), plain.given, "replace")
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}.\n    fix: give a file that can be read") from None
