"""What stands in the records, for every reader."""

from __future__ import annotations

from hardway.network.dns import etc_hosts
from hardway.network.dns.records import ROWS, by_addresses
from tests.support.clusters import VARIANTS, install_config, load_cluster


def cluster_of(variant):
    return load_cluster(install_config(**VARIANTS[variant])).cluster


def test_etc_hosts_gives_every_name_but_the_wildcard_and_says_so(tmp_path):
    c = cluster_of("dual-stack")
    text = etc_hosts.lines(c)
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            address, *names = line.split()
            for record in names:
                found.setdefault(record, []).append(address)
    for addresses, group in by_addresses(c).items():
        assert all(tuple(found[host.name]) == addresses for host in group)
    assert found[f"console-openshift-console.apps.{c.domain}"] == list(c.ingress_vips)
    assert "*" not in "".join(found)
    assert "cannot have a wildcard for *.apps" in text


def test_every_row_has_its_whole_reason():
    for row in ROWS:
        assert all((row.why.what, row.why.readers, row.why.breaks, row.why.source)), row.name
