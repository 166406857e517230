"""The network profile, read as NetworkManager reads it."""

from __future__ import annotations

from configparser import ConfigParser
from dataclasses import replace
from ipaddress import ip_interface

import pytest

from hardway.ignition import network
from hardway.model.cluster import Cluster, Node
from tests.support.clusters import VARIANTS, install_config, load_cluster


def cluster(variant: str) -> Cluster:
    return load_cluster(install_config(**VARIANTS[variant])).cluster


def profile(plan: Cluster, node: Node) -> ConfigParser:
    parser = ConfigParser(strict=True, interpolation=None)
    parser.read_string(network.keyfile(plan, node))
    return parser


@pytest.mark.parametrize("variant", ["default", "dual-stack", "ipv6"])
def test_every_node_gets_its_planned_addresses_and_one_default_route_per_family(variant: str) -> None:
    plan = cluster(variant)
    for node in plan.nodes:
        read = profile(plan, node)
        used = [s for s in ("ipv4", "ipv6") if read[s]["method"] == "manual"]
        addresses = [ip_interface(read[s]["address1"]) for s in used]
        assert sorted(str(a.ip) for a in addresses) == sorted(node.addresses)
        assert all(a.network in plan.machine_networks for a in addresses)
        assert [read[s]["gateway"] for s in used] == list(plan.gateways)
        assert all(read[s]["method"] == "disabled" for s in {"ipv4", "ipv6"} - set(used))


@pytest.mark.parametrize("variant", ["default", "dual-stack", "ipv6"])
def test_every_name_server_is_asked_over_its_own_family(variant: str) -> None:
    plan = cluster(variant)
    read = profile(plan, plan.bootstrap)
    servers = {s: [x for x in read[s].get("dns", "").split(";") if x] for s in ("ipv4", "ipv6")}
    assert [*servers["ipv4"], *servers["ipv6"]] == list(plan.dns_servers)
    assert all(":" in x for x in servers["ipv6"])
    assert not any(":" in x for x in servers["ipv4"])


def test_it_is_bound_to_the_card_and_to_no_name_of_it() -> None:
    plan = cluster("default")
    read = profile(plan, plan.masters[1])
    assert read["ethernet"]["mac-address"].lower() == plan.masters[1].mac.lower()
    assert "interface-name" not in read["connection"]


def test_its_name_is_none_that_the_ovs_setup_uses() -> None:
    plan = cluster("default")
    name = profile(plan, plan.bootstrap)["connection"]["id"]
    assert not name.startswith(("br-ex", "ovs-if-", "ovs-port-"))
    assert f"/etc/NetworkManager/system-connections/{name}.nmconnection" == network.PATH


def test_the_bridge_of_ovn_gets_the_card_and_no_profile_of_the_system_does() -> None:
    plan = cluster("default")
    assert 0 < int(profile(plan, plan.bootstrap)["connection"]["autoconnect-priority"]) < 100


def test_an_address_outside_of_every_machine_network_is_a_bug() -> None:
    plan = cluster("default")
    with pytest.raises(StopIteration):
        network.keyfile(plan, replace(plan.bootstrap, addresses=("10.99.0.1",)))
