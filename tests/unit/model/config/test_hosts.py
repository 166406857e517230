"""The plan: what is derived, what hosts.yaml changes, and what it may not."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest
import yaml

from hardway.model.cluster import Cluster, Release
from hardway.model.config.load import Inputs, Loaded, load
from hardway.model.derive.plan import address_at, layout_for
from hardway.model.errors import ConfigError
from hardway.model.problem import Problem
from tests.support.clusters import DUAL_STACK, IPV6, install_config

RELEASE = Release(version="4.18.0", image="image", images={})


def loaded(hosts: Any = None, **changes: Any) -> Loaded:
    texts = {"install_config": yaml.safe_dump(install_config(**changes))}
    if hosts is not None:
        texts["hosts"] = hosts if isinstance(hosts, str) else yaml.safe_dump(hosts)
    return load(Inputs(**texts), lambda _: RELEASE)


def cluster(hosts: Any = None, **changes: Any) -> Cluster:
    return loaded(hosts, **changes).cluster


def refusal(hosts: Any, **changes: Any) -> list[tuple[str, str]]:
    with pytest.raises(ConfigError) as caught:
        loaded(hosts, **changes)
    return [(problem.rule, problem.path) for problem in caught.value.problems if not problem.warning]


def of(name: str, **fields: Any) -> dict[str, Any]:
    return {"hosts": {name: fields}}


def test_the_plan_of_the_notes() -> None:
    made = cluster()
    assert [(node.name, node.role, node.index, node.address) for node in made.nodes] == [
        ("bootstrap", "bootstrap", 0, "192.168.126.100"),
        ("master-0", "master", 0, "192.168.126.101"),
        ("master-1", "master", 1, "192.168.126.102"),
        ("master-2", "master", 2, "192.168.126.103"),
        ("worker-0", "worker", 0, "192.168.126.110"),
        ("worker-1", "worker", 1, "192.168.126.111"),
    ]
    assert (made.api_vips, made.ingress_vips) == (("192.168.126.10",), ("192.168.126.11",))
    assert (made.gateways, made.dns_servers) == (("192.168.126.1",), ("192.168.126.1",))
    assert {node.disk for node in made.nodes} == {"/dev/vda"}


def test_ipv6_digits_read_as_in_ipv4() -> None:
    made = cluster(networking=IPV6)
    prefix = "fd2e:6f44:5dd8::"
    assert [node.address for node in made.nodes] == [f"{prefix}{n}" for n in (100, 101, 102, 103, 110, 111)]
    assert (made.api_vips, made.gateways) == ((f"{prefix}10",), (f"{prefix}1",))


def test_dual_stack_has_two_of_everything() -> None:
    made = cluster(networking=DUAL_STACK)
    assert made.masters[0].addresses == ("192.168.126.101", "fd2e:6f44:5dd8::101")
    assert made.api_vips == ("192.168.126.10", "fd2e:6f44:5dd8::10")
    assert len(made.gateways) == len(made.dns_servers) == 2


def test_single_node_still_has_a_bootstrap_machine() -> None:
    assert [node.name for node in cluster(masters=1, workers=0).nodes] == ["bootstrap", "master-0"]


def test_workers_follow_the_masters_when_those_are_many() -> None:
    made = cluster(masters=11, workers=1)
    assert made.masters[-1].address == "192.168.126.111"
    assert made.workers[0].address == "192.168.126.112"


def test_small_networks_are_filled_from_their_start() -> None:
    networking = install_config()["networking"] | {"machineNetwork": [{"cidr": "192.168.126.16/28"}]}
    made = cluster(networking=networking)
    assert made.gateways == ("192.168.126.17",)
    assert made.bootstrap.address == "192.168.126.20"
    assert made.workers[-1].address == "192.168.126.25"


def test_counting_goes_on_in_a_wide_network() -> None:
    networking = install_config()["networking"] | {"machineNetwork": [{"cidr": "10.4.0.0/16"}]}
    assert cluster(networking=networking, workers=400).workers[-1].address == "10.4.1.253"


def test_the_broadcast_address_is_nobodys() -> None:
    network = ip_network("10.0.0.0/24")
    assert str(address_at(network, 254)) == "10.0.0.254"
    assert address_at(network, 255) is None
    assert layout_for(network, 3) != layout_for(ip_network("10.0.0.0/25"), 3)


def test_hardware_addresses_are_stable_and_different() -> None:
    first, again, other = cluster(), cluster(), cluster(metadata={"name": "other"})
    assert [node.mac for node in first.nodes] == [node.mac for node in again.nodes]
    assert not {node.mac for node in first.nodes} & {node.mac for node in other.nodes}
    assert all(node.mac.startswith("52:54:00:") for node in first.nodes)


def test_a_hash_that_is_taken_is_hashed_again() -> None:
    taken = cluster().masters[0].mac
    made = cluster(of("worker-0", mac=taken))
    assert len({node.mac for node in made.nodes}) == len(made.nodes)
    assert made.workers[0].mac == taken


def test_hosts_yaml_wins() -> None:
    made = cluster(
        {
            "apiVIPs": ["192.168.126.5"],
            "ingressVIPs": ["192.168.126.5"],
            "gateways": ["192.168.126.254"],
            "dns": ["9.9.9.9", "fd00::53"],
        }
        | of(
            "master-0",
            hostname="cp.example.com",
            addresses=["192.168.126.50"],
            mac="AA-BB-CC-00-00-01",
            disk="/dev/sda",
        )
    )
    node = made.masters[0]
    assert (node.name, node.address, node.mac, node.disk) == (
        "cp.example.com",
        "192.168.126.50",
        "aa:bb:cc:00:00:01",
        "/dev/sda",
    )
    assert made.api_vips == made.ingress_vips == ("192.168.126.5",)
    assert (made.gateways, made.dns_servers) == (("192.168.126.254",), ("9.9.9.9", "fd00::53"))
    assert made.masters[1].address == "192.168.126.102"


@pytest.mark.parametrize("text", ["", "# nothing\n", "hosts:\n", "hosts: {}\n", "hosts: {master-0: }\n"])
def test_an_empty_hosts_yaml_changes_nothing(text: str) -> None:
    assert cluster(text).nodes == cluster().nodes


def test_given_addresses_make_a_small_network_do() -> None:
    networking = install_config()["networking"] | {"machineNetwork": [{"cidr": "10.5.0.0/29"}, {"cidr": "10.6.0.0/24"}]}
    names = ["bootstrap", "master-0", "master-1", "master-2", "worker-0", "worker-1"]
    hosts = {"hosts": {name: {"addresses": [f"10.6.0.{n}"]} for n, name in enumerate(names, 20)}}
    assert cluster(hosts, networking=networking).bootstrap.address == "10.6.0.20"


@pytest.mark.parametrize(
    ("rule", "path", "hosts"),
    [
        ("host.unknown", "hosts.master-9", of("master-9")),
        ("host.name", "hosts.master-0.hostname", of("master-0", hostname="localhost")),
        ("host.name", "hosts.master-0.hostname", of("master-0", hostname="localhost.localdomain")),
        ("host.name", "hosts.master-0.hostname", of("master-0", hostname="UPPER")),
        ("host.name", "hosts.master-0.hostname", of("master-0", hostname="a" * 64)),
        ("host.mac", "hosts.master-0.mac", of("master-0", mac="01:00:5e:00:00:01")),
        ("host.mac", "hosts.master-0.mac", of("master-0", mac="52:54:00")),
        ("host.mac", "hosts.master-0.mac", of("master-0", mac="00:00:00:00:00:00")),
        ("host.disk", "hosts.master-0.disk", of("master-0", disk="sda")),
        ("host.disk", "hosts.master-0.disk", of("master-0", disk="/dev/sda;reboot")),
        ("host.disk", "hosts.master-0.disk", of("master-0", disk="/dev/$(reboot)")),
        ("host.disk", "hosts.master-0.disk", of("master-0", disk="/dev/sda'")),
        ("host.disk", "hosts.master-0.disk", of("master-0", disk="/dev/../etc/passwd")),
        ("host.disk", "hosts.master-0.disk", of("master-0", disk="/dev/disk/./sda")),
        ("host.address", "hosts.master-0.addresses[0]", of("master-0", addresses=["nowhere"])),
        ("host.address", "hosts.master-0.addresses[0]", of("master-0", addresses=["192.168.126.0"])),
        ("host.address", "hosts.master-0.addresses[0]", of("master-0", addresses=["192.168.126.255"])),
        ("host.address", "dns[0]", {"dns": [None]}),
        ("host.outside", "hosts.master-0.addresses[0]", of("master-0", addresses=["10.0.0.5"])),
        ("host.outside", "gateways[0]", {"gateways": ["10.0.0.1"]}),
        ("host.family", "hosts.master-0.addresses", of("master-0", addresses=["192.168.126.50", "192.168.126.51"])),
        ("host.family", "apiVIPs", {"apiVIPs": ["192.168.126.5", "fd00::5"]}),
        ("host.taken", "hosts.master-0.addresses[0]", of("master-0", addresses=["192.168.126.102"])),
        ("host.taken", "hosts.master-0.addresses[0]", of("master-0", addresses=["192.168.126.10"])),
        ("host.taken", "hosts.master-0.addresses[0]", of("master-0", addresses=["192.168.126.1"])),
        ("host.taken", "apiVIPs[0]", {"apiVIPs": ["192.168.126.101"]}),
        ("host.taken", "hosts.master-0.hostname", of("master-0", hostname="worker-1")),
        ("field.type", "hosts.master-0.mac", of("master-0", mac=["x"])),
    ],
)
def test_refused(rule: str, path: str, hosts: dict[str, Any]) -> None:
    assert (rule, path) in refusal(hosts)


def test_a_hardware_address_twice() -> None:
    mac = {"mac": "52:54:00:00:00:01"}
    assert refusal({"hosts": {"master-0": mac, "worker-0": mac}}) == [("host.taken", "hosts.worker-0.mac")]


def test_a_load_balancer_elsewhere_is_only_doubtful() -> None:
    made = loaded({"apiVIPs": ["10.9.9.9"], "ingressVIPs": ["192.168.126.1"]})
    assert [problem.rule for problem in made.warnings] == ["host.outside"]


def test_a_broken_hosts_yaml_does_not_hide_install_config() -> None:
    rules = [rule for rule, _ in refusal("hosts: {", publish="Internal")]
    assert rules == ["publish.value", "yaml.syntax"]


def test_problems_name_the_file_that_was_given() -> None:
    texts = Inputs(install_config=yaml.safe_dump(install_config()), hosts="hosts: []", hosts_file="lab/hosts.yaml")
    with pytest.raises(ConfigError) as caught:
        load(texts, lambda _: RELEASE)
    problem: Problem = caught.value.problems[0]
    assert str(problem).startswith("lab/hosts.yaml:1:1: error: hosts: must be a mapping, but it is a list\n    fix: ")
