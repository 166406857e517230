"""Name servers by their files: the same defects are found in a dnsmasq.conf and in zones as on servers that run."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from hardway.checks.network.files import judge
from hardway.cli.network import network as command
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError
from hardway.network.dns import bind, dnsmasq
from hardway.network.dns.files import read_dnsmasq
from tests.support.clusters import VARIANTS, install_config, load_cluster
from tests.support.dns.defects import DEFECTS
from tests.support.probing import swap
from tests.support.trees import write_folder

CLUSTER = load_cluster().cluster
FORWARD, REVERSE = "db.ocp4.example.com", "db.126.168.192.in-addr.arpa"
FIX = "    fix: give a zone that `named-checkzone` accepts; what $INCLUDE names must stand in the file itself"
BY_HAND = """\
$TTL 1W
@   IN  SOA ns1.example.com. root (
        2019070700  ; serial
        3H 30M 2W 1W )
    IN  NS  ns1.example.com.
api       IN  A  192.168.126.10
api-int   IN  A  192.168.126.10
*.apps    300 IN A  192.168.126.11
bootstrap IN  A  192.168.126.100
master-0  IN  A  192.168.126.101
master-1  A  192.168.126.102
master-2  IN 300 A  192.168.126.103
worker-0  IN  A  192.168.126.110
worker-1  IN  A  192.168.126.111
etcd-0  IN  CNAME  master-0
etcd-1  IN  CNAME  master-1
etcd-2  IN  CNAME  master-2.ocp4.example.com.
_etcd-server-ssl._tcp  SRV 0 10 2380 etcd-0
                       SRV 0 10 2380 etcd-1
                       SRV 0 10 2380 etcd-2
"""


def judged(cluster=CLUSTER, **files):
    report = judge(cluster, SystemEntropy(), "balancer", **files)
    return {(f.check, f.failure, f.severity) for f in report.findings}


def written(folder, texts):
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: str(folder / name) for name in texts}


def zones(folder, cluster=CLUSTER, change=lambda name, text: text):
    texts = {n: change(n, t) for n, t in bind.files(cluster).items() if n.startswith("db.")}
    return tuple(written(folder, texts).values())


@pytest.mark.parametrize("variant", ["default", "compact", "single", "dual-stack", "ipv6"])
def test_what_we_write_is_right(variant, tmp_path):
    cluster = load_cluster(install_config(**VARIANTS[variant])).cluster
    file = written(tmp_path, {"dnsmasq.conf": dnsmasq.config(cluster)})["dnsmasq.conf"]
    assert judged(cluster, dnsmasq=[file]) == set()
    assert judged(cluster, zones=zones(tmp_path, cluster)) == set()


@pytest.mark.parametrize(
    ("defect", "effect"),
    [
        ("api-goes-round-the-masters", "oc and the administrator's kubeconfig use this name"),
        ("api-int-is-a-master", "a node connects to a machine that has no API yet"),
        ("api-int-is-missing", "lookup api-int: no such host"),
    ],
)
def test_the_effect_is_that_of_the_record(defect, effect, tmp_path):
    text = DEFECTS[defect][0](dnsmasq.config(CLUSTER))
    file = written(tmp_path, {"dnsmasq.conf": text})["dnsmasq.conf"]
    report = judge(CLUSTER, SystemEntropy(), "balancer", dnsmasq=[file])
    assert [effect in finding.breaks for finding in report.findings] == [True]


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_in_dnsmasq_is_what_the_running_server_would_show(defect, tmp_path):
    """The same table of defects is run against the real dnsmasq."""
    change, wanted = DEFECTS[defect]
    file = written(tmp_path, {"dnsmasq.conf": change(dnsmasq.config(CLUSTER))})["dnsmasq.conf"]
    assert judged(dnsmasq=[file]) == {wanted}


ZONE_DEFECTS = {
    "api-int-is-a-master": (
        FORWARD,
        swap("api-int.ocp4.example.com. IN A 192.168.126.10\n", "api-int IN A 192.168.126.101\n"),
        ("dns.balancer", "F04", "error"),
    ),
    "api-goes-round-the-masters": (
        FORWARD,
        swap("\napi.ocp4.example.com. IN A 192.168.126.10\n", "\napi IN A 192.168.126.101\n  IN A 192.168.126.102\n"),
        ("dns.balancer", "F04", "error"),
    ),
    "api-int-is-missing": (
        FORWARD,
        swap("api-int.ocp4.example.com. IN A 192.168.126.10\n", ""),
        ("dns.api", "F44", "error"),
    ),
    "node-elsewhere": (
        FORWARD,
        swap("\nmaster-1.ocp4.example.com. IN A 192.168.126.102\n", "\nmaster-1 IN A 192.168.126.99\n"),
        ("dns.nodes", "F15", "error"),
    ),
    "no-reverse-record": (
        REVERSE,
        swap("102.126.168.192.in-addr.arpa. IN PTR master-1.ocp4.example.com.\n", ""),
        ("dns.reverse", "F15", "error"),
    ),
    "dot-forgotten": (
        REVERSE,
        swap("PTR master-1.ocp4.example.com.\n", "PTR master-1.ocp4.example.com\n"),
        ("dns.reverse", "F15", "error"),
    ),
    "apps-is-missing": (
        FORWARD,
        swap("*.apps.ocp4.example.com. IN A 192.168.126.11\n", ""),
        ("dns.apps", "F33", "error"),
    ),
    "catch-all": (FORWARD, lambda text: text + "* IN A 192.168.126.11\n", ("dns.catch-all", "F34", "error")),
    "no-service-of-etcd": (
        FORWARD,
        lambda text: re.sub(r".* IN SRV .*\n", "", text, count=1),
        ("dns.etcd", "", "warning"),
    ),
}


@pytest.mark.parametrize("defect", ZONE_DEFECTS)
def test_a_defect_in_a_zone_is_named_and_nothing_else(defect, tmp_path):
    file, change, wanted = ZONE_DEFECTS[defect]
    assert judged(zones=zones(tmp_path, change=lambda n, text: change(text) if n == file else text)) == {wanted}


def test_a_zone_written_by_hand_with_relative_names_and_without_its_name(tmp_path):
    reverse = next(z for z in zones(tmp_path) if "arpa" in z)
    file = written(tmp_path, {"cluster.zone": BY_HAND})["cluster.zone"]
    assert judged(zones=(f"ocp4.example.com={file}", reverse)) == set()
    with pytest.raises(ConfigError, match="the zone's name is missing"):
        judged(zones=(file,))
    file = written(tmp_path, {"cluster.zone": f"$ORIGIN ocp4.example.com.\n{BY_HAND}"})["cluster.zone"]
    assert judged(zones=(file, reverse)) == set()


def test_a_zone_as_bind_itself_writes_it(tmp_path):
    """named begins such a file with the root as origin; the file's name says which zone it is."""
    text = BY_HAND.replace("@   IN  SOA", "$ORIGIN .\nocp4.example.com IN SOA").replace(
        "api       IN", "$ORIGIN ocp4.example.com.\napi IN"
    )
    reverse = next(z for z in zones(tmp_path) if "arpa" in z)
    assert judged(zones=(written(tmp_path, {FORWARD: text})[FORWARD], reverse)) == set()
    file = written(tmp_path, {"cluster.zone": text})["cluster.zone"]
    with pytest.raises(ConfigError, match="the zone's name is missing"):
        judged(zones=(file,))


def test_a_record_of_another_zone_is_not_answered(tmp_path):
    """named ignores it: an address outside the reverse zone is a record that is missing."""
    line = "102.126.168.192.in-addr.arpa. IN PTR master-1.ocp4.example.com.\n"
    swapped = {FORWARD: lambda text: text + line, REVERSE: swap(line, "")}
    files = zones(tmp_path, change=lambda n, text: swapped[n](text))
    assert judged(zones=files) == {("dns.reverse", "F15", "error")}


BAD_ZONES = {
    "address": ("api A 192.168.126", "Text input is malformed (line 3, or the one before)"),
    "kind": ("api IN ADDRESS 192.168.126.10", "unknown rdatatype 'ADDRESS' (line 2, or the one before)"),
    "parenthesis": ("@ IN SOA ns.example.com. root ( 1 2 3", "unbalanced parentheses (line 3, or the one before)"),
    "label": ("a..b A 192.168.126.10", "A DNS label is empty (line 2, or the one before)"),
    "include": ("$INCLUDE nodes.zone", "directive '$INCLUDE' is not allowed (line 2, or the one before)"),
    "alias-and-more": ("api CNAME master-0\napi A 192.168.126.10", "is not compatible with a CNAME node"),
}


@pytest.mark.parametrize("bad", BAD_ZONES)
def test_a_zone_that_no_server_would_load_is_refused_with_the_place(bad, tmp_path):
    line, message = BAD_ZONES[bad]
    file = written(tmp_path, {"cluster.zone": f"$TTL 300\n{line}\n"})["cluster.zone"]
    with pytest.raises(ConfigError) as refused:
        judged(zones=(f"ocp4.example.com={file}",))
    said, fix = str(refused.value).split("\n")
    assert said.startswith(f"{file}: ")
    assert said.endswith(f"{message}.")
    assert fix == FIX


@pytest.mark.parametrize("text", ["", "; nothing\n", "$TTL 300\n"])
@pytest.mark.parametrize("name", ["cluster.zone", "db.ocp4.example.com"])
def test_a_file_without_a_zone(name, text, tmp_path):
    file = written(tmp_path, {name: text})[name]
    with pytest.raises(ConfigError, match="the zone's name is missing"):
        judged(zones=(file,))


def test_a_file_that_is_not_there(tmp_path):
    folder = write_folder(tmp_path / "c", install_config())
    for option in ("--dnsmasq", "--zone"):
        done = CliRunner().invoke(command, ["check", option, str(tmp_path / "db.nothing")], obj=folder)
        assert isinstance(done.exception, ConfigError)
        assert "No such file" in str(done.exception)


def test_an_alias_that_leads_in_a_circle_ends():
    server = read_dnsmasq("f", "cname=a.example.com,b.example.com\ncname=b.example.com,a.example.com\n")
    assert server.answer("a.example.com", "A").values == ()
