"""Configurations of load balancer and name server that somebody wrote: read, and judged by the same tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hardway.infra import dns_files, haproxy_check, probe, probe_dns, probe_ports
from hardway.infra.dns_zone import read_zone
from hardway.infra.haproxy_check import Rule
from hardway.infra.probe import Expect, Probe, Target
from hardway.model.cluster import Cluster
from hardway.model.entropy import Entropy
from hardway.model.errors import ConfigError
from hardway.model.report import Report

_ROWS: tuple[Rule | Probe, ...] = (*haproxy_check.TABLE, *probe_dns.TABLE, *probe_ports.TABLE)
SUFFERS = {row.name: row.why.breaks for row in _ROWS}
"""What a node suffers, by the name of a check."""


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
    reports = [haproxy_check.check(file, _text(file), cluster, expect) for file in haproxy]
    sources = [dns_files.read_dnsmasq(file, _text(file)) for file in dnsmasq]
    if zones:
        names = " and ".join(zone.rpartition("=")[2] for zone in zones)
        sources.append(dns_files.merged(names, [read_zone(zone) for zone in zones]))
    if sources:
        target = Target(cluster=cluster, servers=sources, entropy=entropy, expect=expect)
        reports.append(probe.run(probe_dns.TABLE, target))
    return Report.merge(reports)


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}.\n    fix: give a file that can be read") from None
