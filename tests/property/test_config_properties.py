"""Whatever is valid loads and makes sense; whatever is not is told, never thrown."""

from __future__ import annotations

from copy import deepcopy
from ipaddress import ip_address
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hardway.model.cluster import Cluster, Release
from hardway.model.config.load import Inputs, Loaded, load
from hardway.model.errors import ConfigError
from tests.support.clusters import install_config
from tests.support.configs import valid_documents, valid_install_configs

RELEASE = Release(version="4.18.0", image="image", images={})
WORDS = (
    None,
    "",
    0,
    -1,
    3,
    2.5,
    True,
    "x",
    "yes",
    [],
    {},
    [None],
    {"x": 1},
    [{}],
    10**30,
    "10.0.0.0/8",
    "fd00::/64",
    "::",
    "\x7f",
)


def loaded(text: str, **more: str) -> Loaded:
    return load(Inputs(install_config=text, **more), {"4.18.0": RELEASE}.__getitem__)


def judged(text: str, **more: str) -> Loaded | ConfigError:
    try:
        return loaded(text, **more)
    except ConfigError as error:
        refusal = error
    assert any(not problem.warning for problem in refusal.problems)
    assert all(problem.line >= 1 and problem.column >= 1 and problem.fix for problem in refusal.problems)
    return refusal


@given(valid_install_configs())
@settings(max_examples=150)
def test_valid_configurations_load_and_their_plan_holds(text: str) -> None:
    made = loaded(text)
    assert all(problem.warning for problem in made.warnings)
    check_plan(made.cluster)


def check_plan(cluster: Cluster) -> None:
    families = [network.version for network in cluster.service_networks]
    addresses = [ip_address(address) for node in cluster.nodes for address in node.addresses]
    shared = [ip_address(address) for address in (*cluster.api_vips, *cluster.ingress_vips, *cluster.gateways)]
    assert len({*addresses, *shared}) == len(addresses) + len(shared)
    for address in (*addresses, *shared):
        homes = [network for network in cluster.machine_networks if address in network]
        assert len(homes) == 1
        assert address not in (homes[0].network_address, homes[0].broadcast_address)
    assert all([ip_address(a).version for a in node.addresses] == families for node in cluster.nodes)
    assert len({node.name for node in cluster.nodes}) == len({node.mac for node in cluster.nodes}) == len(cluster.nodes)
    assert len(cluster.masters) == cluster.control_plane_replicas
    assert len(cluster.workers) == cluster.compute_replicas
    assert ip_address(cluster.kubernetes_service_address) in cluster.service_networks[0]


@given(valid_install_configs())
@settings(max_examples=50)
def test_loading_what_would_be_written_changes_nothing(text: str) -> None:
    first = loaded(text).cluster
    again = loaded(yaml.safe_dump(dict(first.install_config))).cluster
    assert again.install_config == first.install_config
    assert again == first


@given(st.text(), st.text(), st.text())
@settings(max_examples=200)
def test_no_text_is_a_traceback(config: str, hosts: str, own: str) -> None:
    judged(config, hosts=hosts, settings=own)


@given(st.text(alphabet="ab:-{}[],\n \t'\"&*!|>%@#?<.~1", max_size=60))
@settings(max_examples=300)
def test_no_near_yaml_is_a_traceback(text: str) -> None:
    judged(text)
    judged(yaml.safe_dump(install_config()) + text, hosts=text, settings=text)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in children for place in places(child, (*path, key)))]


@given(st.data())
@settings(max_examples=300)
def test_no_mutation_of_a_valid_file_is_a_traceback(data: st.DataObject) -> None:
    document = {"document": data.draw(valid_documents())}
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(document)[1:]))
        parent: Any = document
        for step in path[:-1]:
            parent = parent[step]
        parent[path[-1]] = deepcopy(data.draw(st.sampled_from(WORDS)))
    judged(yaml.safe_dump(document["document"]))


@given(valid_install_configs(), st.data())
@settings(max_examples=100)
def test_no_torn_file_is_a_traceback(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    judged(
        text[:start] + data.draw(st.sampled_from(["", "\t", "{", "\x00", "é", ": ", "&a ", "*a"])) + text[start + 1 :]
    )


HOST = st.fixed_dictionaries(
    {},
    optional={
        "hostname": st.sampled_from(["a", "b.c", "localhost", "X", 1]),
        "addresses": st.lists(
            st.sampled_from(["192.168.126.5", "192.168.126.101", "10.0.0.1", "fd00::1", "x", None]), max_size=2
        ),
        "mac": st.sampled_from(["52:54:00:00:00:01", "01:00:00:00:00:00", "x", 5]),
        "disk": st.sampled_from(["/dev/sda", "sda"]),
    },
)
HOSTS = st.fixed_dictionaries(
    {"hosts": st.dictionaries(st.sampled_from(["bootstrap", "master-0", "worker-1", "worker-9"]), HOST)},
    optional={
        name: st.lists(st.sampled_from(["192.168.126.9", "192.168.126.101", "fd00::9", "x"]))
        for name in ("apiVIPs", "gateways")
    },
)


@given(HOSTS)
@settings(max_examples=200)
def test_hosts_that_are_taken_make_a_plan_that_holds(hosts: dict[str, Any]) -> None:
    made = judged(yaml.safe_dump(install_config()), hosts=yaml.safe_dump(hosts))
    if isinstance(made, Loaded):
        nodes = made.cluster.nodes
        networks = made.cluster.machine_networks
        assert len({node.address for node in nodes}) == len({node.mac for node in nodes}) == len(nodes)
        assert all(any(ip_address(node.address) in network for network in networks) for node in nodes)
