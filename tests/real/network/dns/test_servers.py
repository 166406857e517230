"""What we write for dnsmasq, BIND and /etc/hosts: real programs read it, and answer as planned."""

from __future__ import annotations

import subprocess
from ipaddress import ip_address

import pytest
import yaml

from hardway.model.config.load import Inputs, load
from hardway.network.dns import bind, dnsmasq
from hardway.network.dns.client import NoAnswer
from hardway.network.dns.records import hosts, reverse, services
from hardway.release.catalogue import release_for
from tests.support.clusters import VARIANTS, install_config, load_cluster
from tests.support.dns.servers import look, running_dnsmasq, running_named
from tests.support.netns import network

FAMILIES = ["default", "dual-stack", "ipv6"]


def cluster_of(variant):
    return load_cluster(install_config(**VARIANTS[variant])).cluster


def of_kind(addresses, kind):
    return tuple(sorted(a for a in addresses if (":" in a) == (kind == "AAAA")))


@pytest.fixture(params=[running_dnsmasq, running_named], ids=["dnsmasq", "named"])
def server(request):
    return request.param


@pytest.mark.parametrize("variant", FAMILIES)
def test_a_real_server_answers_as_planned(variant, server, tmp_path):
    c = cluster_of(variant)
    with network(c.dns_servers) as name, server(name, tmp_path, c):
        for at in c.dns_servers:
            for host in hosts(c):
                record = host.name.replace("*", "anything.at-all", 1)
                for kind in ("A", "AAAA"):
                    found = look(name, at, record, kind)
                    assert (found.code, found.values) == ("NOERROR", of_kind(host.addresses, kind)), record
            for address, owner in reverse(c).items():
                assert look(name, at, ip_address(address).reverse_pointer, "PTR").values == (owner,)
            record, planned = services(c)
            wanted = {f"{s.priority} {s.weight} {s.port} {s.target}" for s in planned}
            assert set(look(name, at, record, "SRV").values) == wanted


def test_names_that_nobody_made_do_not_exist(server, tmp_path):
    c = cluster_of("default")
    with network(c.dns_servers) as name, server(name, tmp_path, c):
        for record in ("nobody", "x.api", "apps-", "a.b", "x.master-0", "x.etcd-0"):
            found = look(name, c.dns_servers[0], f"{record}.{c.domain}", "A")
            assert (found.code, found.values) == ("NXDOMAIN", ()), record


@pytest.mark.parametrize("variant", [*FAMILIES, "compact", "single", "five"])
def test_binds_own_checkers_find_nothing(variant, tmp_path):
    c = cluster_of(variant)
    for file, text in bind.files(c).items():
        (tmp_path / file).write_text(text)
    zones = [c.domain, *bind.reverse_zones(c)]
    for zone in zones:
        command = ["named-checkzone", "-i", "full", "-W", "fail", zone, tmp_path / f"db.{zone}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        assert "OK" in done.stdout
    (tmp_path / "named.conf").write_text(
        f'options {{ directory "{tmp_path}"; }};\n{(tmp_path / bind.NAME).read_text()}'
    )
    done = subprocess.run(
        ["named-checkconf", "-z", tmp_path / "named.conf"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.count("loaded serial")) == (0, len(zones)), done.stdout


@pytest.mark.parametrize("variant", [*FAMILIES, "compact", "single", "five"])
def test_dnsmasqs_own_checker_finds_nothing(variant, tmp_path):
    path = tmp_path / "dnsmasq.conf"
    path.write_text(dnsmasq.config(cluster_of(variant)))
    done = subprocess.run(["dnsmasq", "--test", "-C", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "dnsmasq: syntax check OK.")


def test_a_node_with_a_complete_name_keeps_it(tmp_path):
    given = "hosts: {master-0: {hostname: m0.rack.example.org}, worker-0: {hostname: w0.ocp4.example.com}}"
    inputs = Inputs(install_config=yaml.safe_dump(install_config()), hosts=given)
    c = load(inputs, release_for).cluster
    assert reverse(c)["192.168.126.101"] == "m0.rack.example.org"
    with network(c.dns_servers) as name, running_dnsmasq(name, tmp_path, c):
        at = c.dns_servers[0]
        assert look(name, at, "m0.rack.example.org", "A").values == ("192.168.126.101",)
        assert look(name, at, "w0.ocp4.example.com", "A").values == ("192.168.126.110",)
    text = bind.files(c)[f"db.{c.domain}"]
    assert "; belongs into another zone: m0.rack.example.org. IN A 192.168.126.101" in text


OUTSIDE = "203.0.113.5"


def test_dnsmasq_answers_where_the_nodes_ask_and_nowhere_else(tmp_path):
    """An address that the internet reaches would make it an open resolver; without the line it is one."""
    c = cluster_of("default")
    (tmp_path / "open").mkdir()
    with network((*c.dns_servers, OUTSIDE)) as name:
        with running_dnsmasq(name, tmp_path, c), pytest.raises(NoAnswer):
            look(name, OUTSIDE, f"etcd-0.{c.domain}", "A")
        with running_dnsmasq(name, tmp_path / "open", c, lambda text: text.replace("listen-address=", "#")):
            assert look(name, OUTSIDE, f"etcd-0.{c.domain}", "A").code == "NOERROR"
