"""What is wanted of libvirt: every part has a reason, follows the plan, and any difference is seen and repaired."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from xml.etree.ElementTree import Element, SubElement

import pytest

from hardway.libvirt.choices import Choices, check_bridge, parse_size
from hardway.libvirt.facts import differences, facts, merged, parse, text_of
from hardway.libvirt.firewall import Firewall
from hardway.libvirt.firewall import rules as firewall_rules
from hardway.libvirt.host import Host
from hardway.libvirt.identity import Identity, marked, read_identity
from hardway.libvirt.machine import domain_xml
from hardway.libvirt.network import network_xml, vips
from hardway.libvirt.plan import changes
from hardway.libvirt.reasons import TABLES, reason
from hardway.libvirt.removal import removals
from hardway.libvirt.storage import pool_xml
from hardway.libvirt.world import Object, Seen
from hardway.model.errors import ConfigError
from tests.support.clusters import DUAL_STACK, IPV6, install_config, load_cluster

ME = Identity(cluster="ocp4.example.com", cluster_id="6f2a5d36-9c3e-4c53-8d2c-3f6d1c1a5b11", infra_id="ocp4-x7k2p")
OTHER = replace(ME, cluster_id="00000000-9c3e-4c53-8d2c-3f6d1c1a5b11")
CLUSTER = load_cluster().cluster
CLUSTERS = {
    "default": CLUSTER,
    "single": load_cluster(install_config(1, 0)).cluster,
    "dual-stack": load_cluster(install_config(networking=DUAL_STACK)).cluster,
    "ipv6": load_cluster(install_config(networking=IPV6)).cluster,
}
CHOICES = [Choices(), Choices(firmware="bios", accelerator="tcg", vips=False), Choices(bridge="br0")]


def documents() -> list[tuple[str, Element]]:
    found = []
    for cluster in CLUSTERS.values():
        for choices in CHOICES:
            recorded = vips(cluster) if choices.bridge else ()
            rules = dict.fromkeys(firewall_rules(cluster), "libvirt")
            found.append(("network", network_xml(cluster, ME, choices, recorded, rules, ["bootstrap"])))
            found.append(("pool", pool_xml(ME, choices)))
            found += [("machine", domain_xml(cluster, n, ME, choices)) for n in cluster.nodes]
    return found


def test_every_fact_has_a_reason_and_every_reason_has_a_fact():
    everything = {(kind, path) for kind, root in documents() for path in facts(root)}
    assert [f for f in sorted(everything) if reason(*f) is None] == []
    used = {(kind, id(reason(kind, path))) for kind, path in everything}
    assert [(k, p) for k, table in TABLES.items() for p, why in table.items() if (k, id(why)) not in used] == []


def test_the_same_cluster_gives_the_same_bytes():
    first, second = ([text_of(root) for _, root in documents()] for _ in range(2))
    assert first == second


def _spoil(element: Element) -> Element | None:
    """The first value in it, changed."""
    for part in element.iter():
        if part.attrib:
            name = sorted(part.attrib)[0]
            part.set(name, part.attrib[name] + "9")
            return element
        if (part.text or "").strip():
            part.text = "9" + (part.text or "").strip()
            return element
    return None


def damaged(root: Element) -> list[Element]:
    """Copies of a document with one element of it gone, and copies with one changed."""
    copies = []
    for index, place in enumerate(root.iter()):
        for number in range(len(place)):
            without, other = deepcopy(root), deepcopy(root)
            parent = list(without.iter())[index]
            parent.remove(parent[number])
            copies.append(without)
            if _spoil(list(other.iter())[index][number]) is not None:
                copies.append(other)
    return copies


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_whatever_is_different_is_seen_told_and_repaired(cluster: str):
    plan = CLUSTERS[cluster]
    roots = [network_xml(plan, ME, Choices()), domain_xml(plan, plan.masters[0], ME, Choices())]
    for wanted in (parse(text_of(root)) for root in roots):
        assert differences(wanted, deepcopy(wanted)) == []
        for seen in damaged(wanted):
            found = differences(wanted, seen)
            assert found, text_of(seen)
            assert all(str(d) for d in found)
            assert differences(wanted, merged(wanted, seen)) == []


def test_what_the_user_added_to_a_machine_stays():
    wanted = domain_xml(CLUSTER, CLUSTER.masters[0], ME, Choices())
    seen = deepcopy(wanted)
    devices = seen.find("devices")
    disk = SubElement(devices, "disk", type="file", device="disk")
    SubElement(disk, "target", dev="vdb", bus="virtio")
    SubElement(devices.find("disk[@device='cdrom']"), "source", file="/pool/master-0.iso")
    assert differences(wanted, seen) == []
    seen.find("memory").text = "1024"
    result = merged(wanted, seen)
    assert len(result.findall("devices/disk")) == 3
    assert result.find("devices/disk[@device='cdrom']/source").get("file") == "/pool/master-0.iso"


def test_a_record_that_is_not_in_the_plan_is_seen_and_removed():
    wanted = network_xml(CLUSTER, ME, Choices())
    seen = deepcopy(wanted)
    SubElement(SubElement(seen.find("dns"), "host", ip="192.168.126.77"), "hostname").text = "api.ocp4.example.com"
    assert [str(d) for d in differences(wanted, seen)] == ["dns/host[192.168.126.77] is not in the plan"]
    assert text_of(merged(wanted, seen)) == text_of(wanted)


def test_the_order_of_names_is_a_fact_because_the_first_is_the_reverse_record():
    wanted = network_xml(CLUSTER, ME, Choices())
    seen = deepcopy(wanted)
    entry = next(h for h in seen.find("dns").iter("host") if len(h) > 1)
    entry[:] = list(reversed(entry))
    assert len(differences(wanted, seen)) == 1


def test_leases_and_cards_have_the_macs_and_addresses_of_the_plan():
    leases = {h.get("mac"): h.get("ip") for h in network_xml(CLUSTER, ME, Choices()).iter("host") if h.get("mac")}
    assert leases == {n.mac: n.address for n in CLUSTER.nodes}
    cards = [domain_xml(CLUSTER, n, ME, Choices()).find("devices/interface/mac") for n in CLUSTER.nodes]
    assert [c.get("address") for c in cards] == [n.mac for n in CLUSTER.nodes]


def test_the_mark_of_another_cluster_is_not_ours():
    root = network_xml(CLUSTER, OTHER, Choices())
    assert marked(root, OTHER) is not None
    assert marked(root, ME) is None
    assert ME.uuid("pool") != OTHER.uuid("pool")


def test_the_bridge_has_a_name_that_the_kernel_takes():
    assert len(replace(ME, infra_id="a-very-long-cluster-n-x7k2p").bridge) <= 15


def test_sizes_are_read_and_the_single_node_is_larger():
    role, size = parse_size("worker=3,512MiB,40GiB")
    assert (role, size.vcpus, size.memory, size.disk) == ("worker", 3, 512, 40)
    single = CLUSTERS["single"]
    assert Choices().size(single, "master").memory == 32768
    assert Choices().size(CLUSTER, "master").memory == 16384


@pytest.mark.parametrize("text", ["master", "master=0,1GiB,1GiB", "etcd", "master=1,1GB,1GiB", "master=1,1GiB"])
def test_a_size_that_cannot_be_read_names_the_fix(text: str):
    with pytest.raises(ConfigError, match="fix: write it as"):
        parse_size(text)


def test_a_size_for_an_unknown_role_names_the_roles():
    with pytest.raises(ConfigError, match=r"there is no role 'etcd'\.\n    fix: name one of bootstrap, master, w"):
        parse_size("etcd=1,1GiB,1GiB")


@pytest.mark.parametrize("name", ["br0;reboot", "-br0", "a" * 16, "br 0"])
def test_a_bridge_is_the_name_of_an_interface(name: str):
    with pytest.raises(ConfigError, match="fix: name a bridge"):
        check_bridge(name)


def test_a_disk_that_a_machine_cannot_have_is_refused():
    node = replace(CLUSTER.masters[0], disk="/dev/nvme0n1")
    with pytest.raises(ConfigError, match="has no disk /dev/nvme0n1"):
        domain_xml(CLUSTER, node, ME, Choices())


def test_commands_for_a_remote_host_go_over_its_ssh_as_one_word():
    assert Host(connect="qemu:///system").command("ip", "address") == ["ip", "address"]
    remote = Host(connect="qemu+ssh://root@host.example.com:2222/system")
    start = ["ssh", "-o", "BatchMode=yes", "-p", "2222", "--", "root@host.example.com"]
    assert remote.command("ip", "x y") == [*start, "ip 'x y'"]
    keyed = Host(connect="qemu+ssh://host/system?keyfile=/k%20ey&no_verify=1&command=/bin/ssh2&socket=/s")
    words = ["/bin/ssh2", "-o", "BatchMode=yes", "-i", "/k ey", "-o", "StrictHostKeyChecking=no", "--", "host"]
    assert keyed.command("true") == [*words, "true"]
    with pytest.raises(ConfigError, match="fix: use qemu\\+ssh"):
        Host(connect="qemu+tls://host.example.com/system").command("ip")


def test_without_the_identifiers_nothing_can_be_marked(tmp_path):
    with pytest.raises(ConfigError, match="fix: make it with `hardway build 03`"):
        read_identity(tmp_path, CLUSTER)
    (tmp_path / "plan").mkdir()
    for name in ("cluster-id", "infra-id"):
        (tmp_path / "plan" / name).write_text("nonsense")
    with pytest.raises(ConfigError, match="is not a UUID"):
        read_identity(tmp_path, CLUSTER)


@pytest.mark.parametrize("name", ["a\nExecStartPre=/bin/true", "../../tmp/a", "a b", "a%n", "-a", "", "A", "a" * 64])
def test_a_name_that_would_be_more_than_a_part_of_a_path_is_refused(tmp_path, name):
    (tmp_path / "plan").mkdir()
    (tmp_path / "plan" / "cluster-id").write_text("5a2c6b8e-0000-4000-8000-000000000000\n")
    (tmp_path / "plan" / "infra-id").write_text(f"{name}\n")
    with pytest.raises(ConfigError, match="infra-id: is not a name of lower-case letters"):
        read_identity(tmp_path, CLUSTER)


def seen_with_rules(firewall: Firewall | None) -> Seen:
    document = network_xml(CLUSTER, ME, Choices(), (), dict.fromkeys(firewall_rules(CLUSTER), "libvirt"))
    return Seen(network=Object(name="n", document=document, live=document, ours=True, active=True), firewall=firewall)


def test_rules_of_a_firewall_that_does_not_run_are_not_forgotten():
    seen = seen_with_rules(None)
    assert [c for c in changes(CLUSTER, (), ME, Choices(), seen) if (c.kind, c.action) == ("network", "change")] == []
    kept = [c for c in removals(CLUSTER, (), seen) if c.kind in ("firewall", "network")]
    assert {c.action for c in kept} == {"keep"}
    assert len(kept) == len(firewall_rules(CLUSTER)) + 1


def test_rules_are_removed_when_the_load_balancer_is_elsewhere():
    rules = frozenset(firewall_rules(CLUSTER))
    seen = seen_with_rules(Firewall(zone="libvirt", now=rules, later=rules))
    found = [c for c in changes(CLUSTER, (), ME, Choices(vips=False), seen) if c.kind == "firewall"]
    assert {c.name for c in found if c.action == "remove"} == rules
