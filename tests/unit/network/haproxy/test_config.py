"""The real HAProxy reads what we write, and the table says what it must."""

from __future__ import annotations

import re

import pytest

from hardway.network.frontends import TABLE
from hardway.network.haproxy import config as haproxy
from tests.support.clusters import VARIANTS, install_config, load_cluster


def cluster_of(variant):
    return load_cluster(install_config(**VARIANTS[variant])).cluster


def servers(text, backend):
    part = re.search(rf"^backend {backend}$(.*?)(?=^frontend|\Z)", text, re.M | re.S)[1]
    return re.findall(r"^    server (\S+) (\S+) (.*)$", part, re.M)


def test_the_control_plane_and_the_bootstrap_node_are_behind_the_api():
    text = haproxy.config(cluster_of("default"))
    for name in ("api", "machine-config"):
        assert [s[0] for s in servers(text, name)] == ["bootstrap", "master-0", "master-1", "master-2"]
        assert all(s[2] == "check check-ssl verify none" for s in servers(text, name))
    assert servers(text, "api")[1][1] == "192.168.126.101:6443"


@pytest.mark.parametrize(
    ("variant", "nodes"),
    [
        ("default", ["worker-0", "worker-1"]),
        ("compact", ["master-0", "master-1", "master-2"]),
        ("single", ["master-0"]),
    ],
)
def test_routers_are_on_the_workers_or_on_the_masters_where_there_are_none(variant, nodes):
    text = haproxy.config(cluster_of(variant))
    assert [s[0] for s in servers(text, "ingress-http")] == nodes
    assert [s[0] for s in servers(text, "ingress-https")] == nodes


def test_both_families_are_bound_and_ipv6_stands_in_brackets():
    text = haproxy.config(cluster_of("dual-stack"))
    assert "    bind 192.168.126.10:6443\n    bind [fd2e:6f44:5dd8::10]:6443\n" in text
    assert servers(haproxy.config(cluster_of("ipv6")), "api")[0][1] == "[fd2e:6f44:5dd8::100]:6443"


def test_the_bootstrap_node_can_be_left_out():
    text = haproxy.config(cluster_of("default"), without=("bootstrap",))
    assert [s[0] for s in servers(text, "api")] == ["master-0", "master-1", "master-2"]


def test_nothing_stands_in_the_way_of_long_watches_and_quick_checks():
    text = haproxy.config(cluster_of("default"))
    assert "mode tcp" in text
    hours = dict(re.findall(r"^    timeout (client|server) (\d+)h$", text, re.M))
    assert {name: int(value) >= 1 for name, value in hours.items()} == {"client": True, "server": True}
    inter, fall = re.search(r"default-server inter (\d+)s .*fall (\d+)", text).groups()
    assert int(inter) <= 10
    assert int(fall) == 3


def test_every_row_has_its_whole_reason():
    for row in TABLE:
        assert all((row.why.what, row.why.readers, row.why.breaks, row.why.source)), row.name
        assert all((row.health.why.what, row.health.why.breaks, row.health.why.source)), row.name
