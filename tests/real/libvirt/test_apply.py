"""The real libvirt: things are made, looked at, repaired and removed; its own dnsmasq answers; strangers survive."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from hardway.places.remembered import Place, read
from hardway.workspace.folder import open_workspace
from tests.support.clusters import DUAL_STACK
from tests.support.libvirt.host import Lab, libvirt
from tests.support.waiting import until

FOREIGN_NETWORK = (
    "<network><name>foreign</name><bridge name='foreign0'/><ip address='10.99.0.1' prefix='24'/></network>"
)
FOREIGN_MACHINE = """<domain type='qemu'><name>{name}</name><memory unit='MiB'>64</memory>
<os><type arch='x86_64' machine='q35'>hvm</type></os></domain>"""


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with libvirt() as started:
        yield started


def networking(number: int) -> dict:
    return {"networkType": "OVNKubernetes", "machineNetwork": [{"cidr": f"192.168.{number}.0/24"}]}


def define(lab: Lab, command: str, text: str) -> None:
    (lab.folder / "document.xml").write_text(text)
    lab.virsh(command, str(lab.folder / "document.xml"))


def ask(lab: Lab, server: str, *question: str) -> list[str]:
    return sorted(lab.must("dig", "+short", "+time=2", "+tries=3", f"@{server}", *question).split("\n")[:-1])


def code(lab: Lab, server: str, *question: str) -> str:
    told = lab.must("dig", "+noall", "+comments", "+time=2", "+tries=3", f"@{server}", *question)
    return told.partition("status: ")[2].partition(",")[0]


def carrier(lab: Lab, bridge: str) -> None:
    """A port on the bridge, as a machine that is on would be: before, an IPv6 address is there but not in use."""
    lab.must("ip", "link", "add", "port", "type", "veth", "peer", "name", "other")
    lab.must("ip", "link", "set", "port", "master", bridge, "up")
    lab.must("ip", "link", "set", "other", "up")
    until(lambda: "tentative" not in lab.must("ip", "-6", "address", "show", "dev", bridge))


def infra_id(folder: Path) -> str:
    return (folder / "assets" / "plan" / "infra-id").read_text()


def made(report: dict) -> list[str]:
    return [f"{c['action']} {c['kind']} {c['name']}" for c in report["changes"]]


def test_up_makes_everything_once_and_down_removes_it_and_nothing_else(lab: Lab):
    folder = lab.cluster("whole", 3, 2, networking=networking(61))
    name = infra_id(folder)
    define(lab, "net-define", FOREIGN_NETWORK)
    define(lab, "define", FOREIGN_MACHINE.format(name="foreign"))
    before = [lab.names(kind) for kind in ("net-list", "list", "pool-list")]
    planned = lab.infra(folder, "plan")
    assert [lab.names(kind) for kind in ("net-list", "list", "pool-list")] == before
    assert made(lab.infra(folder, "up")) == made(planned)
    assert lab.infra(folder, "plan") == {"changes": []}
    assert lab.infra(folder, "up") == {"changes": [], "started": []}
    assert read(folder) == Place(kind="libvirt", connect=lab.connect), "later commands need no --connect"
    assert lab.hardway(folder, "infra", "status", "--pool", str(folder / "pool")).returncode == 0
    status = lab.infra(folder, "status")
    assert (status["hosts"][0]["network"]["state"], status["hosts"][0]["pool"]["state"]) == ("running", "running")
    assert status["hosts"][0]["network"]["vips"] == {"192.168.61.10": True, "192.168.61.11": True}
    assert [(m["state"], m["disk"]) for m in status["machines"]] == [("shut off", True)] * 6
    on_bridge = lab.must("ip", "-brief", "address", "show", "dev", status["hosts"][0]["network"]["bridge"])
    assert {"192.168.61.1/24", "192.168.61.10/32", "192.168.61.11/32"} <= set(on_bridge.split())
    assert "MASQUERADE" in lab.must("iptables", "-t", "nat", "-S")

    dry = lab.infra(folder, "down", "--dry-run")
    assert name in lab.names("net-list")
    assert made(lab.infra(folder, "down", "--yes")) == made(dry)
    assert [lab.names(kind) for kind in ("net-list", "list", "pool-list")] == before
    assert not (folder / "pool").exists()
    assert lab.inside("ip", "link", "show", "dev", status["hosts"][0]["network"]["bridge"]).returncode != 0
    assert lab.infra(folder, "down", "--yes") == {"changes": []}
    lab.virsh("undefine", "foreign")
    lab.virsh("net-undefine", "foreign")


def test_the_names_of_the_plan_are_answered_by_libvirts_own_dnsmasq(lab: Lab):
    folder = lab.cluster("names", 3, 1, networking=networking(62))
    lab.infra(folder, "up")
    domain, server = "names.example.com", "192.168.62.1"
    assert ask(lab, server, f"api.{domain}") == ["192.168.62.10"]
    assert ask(lab, server, f"api-int.{domain}") == ["192.168.62.10"]
    assert ask(lab, server, f"anything.apps.{domain}") == ["192.168.62.11"]
    assert ask(lab, server, f"a.b.apps.{domain}") == ["192.168.62.11"]
    for node in open_workspace(folder).loaded.cluster.nodes:
        assert ask(lab, server, f"{node.name}.{domain}") == [node.address]
        assert ask(lab, server, "-x", node.address) == [f"{node.name}.{domain}."]
    assert ask(lab, server, f"etcd-1.{domain}") == ["192.168.62.102"]
    members = [f"0 10 2380 etcd-{number}.{domain}." for number in range(3)]
    assert ask(lab, server, "-t", "SRV", f"_etcd-server-ssl._tcp.{domain}") == members
    assert code(lab, server, f"nothing.{domain}") == "NXDOMAIN"
    # The other family: no address, but the name exists. Some resolvers give up on NXDOMAIN here.
    for name in (f"api.{domain}", f"anything.apps.{domain}"):
        assert (code(lab, server, "-t", "AAAA", name), ask(lab, server, "-t", "AAAA", name)) == ("NOERROR", [])
    lab.infra(folder, "down", "--yes")


def test_both_families_are_served(lab: Lab):
    folder = lab.cluster("dual", 1, 0, networking=DUAL_STACK)
    lab.infra(folder, "up")
    assert lab.infra(folder, "plan") == {"changes": []}
    carrier(lab, lab.infra(folder, "status")["hosts"][0]["network"]["bridge"])
    cluster = open_workspace(folder).loaded.cluster
    assert (
        dict.fromkeys((*cluster.api_vips, *cluster.ingress_vips), True)
        == (lab.infra(folder, "status")["hosts"][0]["network"]["vips"])
    )
    for server in cluster.gateways:
        for kind, address in zip(("A", "AAAA"), cluster.ingress_vips, strict=True):
            assert ask(lab, server, "-t", kind, "x.apps.dual.example.com") == [address]
        for address in cluster.masters[0].addresses:
            assert ask(lab, server, "-x", address) == ["master-0.dual.example.com."]
    lab.must("ip", "link", "delete", "port")
    lab.infra(folder, "down", "--yes")


def test_what_was_changed_by_hand_is_told_with_its_reason_and_repaired(lab: Lab):
    folder = lab.cluster("drift", networking=networking(63))
    name = infra_id(folder)
    lab.infra(folder, "up")
    wrong = "<host ip='192.168.63.77'><hostname>stray.drift.example.com</hostname></host>"
    lab.virsh("net-update", name, "add", "dns-host", wrong, "--live", "--config")
    lab.virsh("setvcpus", f"{name}-master-0", "3", "--config", "--maximum")
    lab.virsh("net-autostart", name, "--disable")
    lab.virsh("undefine", f"{name}-bootstrap", "--nvram")
    report = lab.infra(folder, "plan")
    assert made(report) == [
        f"change network {name}",
        f"restart network {name}",
        f"autostart network {name}",
        f"create machine {name}-bootstrap",
        f"change machine {name}-master-0",
    ]
    reasons = "\n".join(r for c in report["changes"] for r in c["reasons"])
    assert "dns/host[192.168.63.77] is not in the plan. The records of the plan" in reasons
    assert "vcpu is 3, should be 1. The role's size." in reasons
    lab.infra(folder, "up")
    assert lab.infra(folder, "plan") == {"changes": []}
    assert ask(lab, "192.168.63.1", "stray.drift.example.com") == []
    grown = lab.infra(folder, "up", "--size", "master=1,512MiB,2GiB")
    assert made(grown) == ["grow disk master-0.qcow2", f"change machine {name}-master-0"]
    assert made(lab.infra(folder, "up")) == ["keep disk master-0.qcow2", f"change machine {name}-master-0"]
    lab.infra(folder, "down", "--yes")


def test_two_clusters_on_one_host_do_not_touch_each_other(lab: Lab):
    first, second = (lab.cluster(n, networking=networking(64 + i)) for i, n in enumerate(("first", "second")))
    for folder in (first, second):
        lab.infra(folder, "up")
    lab.infra(first, "down", "--yes")
    assert lab.infra(second, "plan") == {"changes": []}
    assert [n for n in lab.names("list") if n.startswith(infra_id(first))] == []
    assert len([n for n in lab.names("list") if n.startswith(infra_id(second))]) == 2
    lab.infra(second, "down", "--yes")


def test_one_machine_can_be_removed_and_files_of_others_keep_the_pool(lab: Lab):
    folder = lab.cluster("single", networking=networking(66))
    name = infra_id(folder)
    lab.infra(folder, "up")
    assert made(lab.infra(folder, "down", "--yes", "bootstrap")) == [
        f"remove machine {name}-bootstrap",
        "remove disk bootstrap.qcow2",
        f"change network {name}",
    ]
    assert [n for n in lab.names("list") if n.startswith(name)] == [f"{name}-master-0"]
    assert made(lab.infra(folder, "plan", "master-0")) == []
    mine = folder / "pool" / "mine.img"
    mine.write_bytes(b"mine" * 512)
    report = lab.infra(folder, "down", "--yes")
    assert {"action": "keep", "kind": "pool", "name": name} == {
        k: v for c in report["changes"] for k, v in c.items() if c["kind"] == "pool" and k != "reasons"
    }
    assert mine.read_bytes() == b"mine" * 512
    mine.unlink()
    assert made(lab.infra(folder, "down", "--yes")) == [f"remove pool {name}"]


def test_the_bootstrap_machine_stays_away_once_it_was_removed_and_others_come_back(lab: Lab):
    folder = lab.cluster("pivoted", networking=networking(72))
    name = infra_id(folder)
    lab.infra(folder, "up")
    lab.infra(folder, "down", "--yes", "bootstrap", "master-0")
    report = lab.infra(folder, "up")
    assert made(report) == [
        "create disk master-0.qcow2",
        f"create machine {name}-master-0",
        f"skip machine {name}-bootstrap",
    ]
    assert "`hardway infra up bootstrap` makes it again" in report["changes"][-1]["reasons"][0]
    assert made(lab.infra(folder, "up", "--size", "master=1,512MiB,1GiB", "--start", "master-0")) == [
        f"change machine {name}-master-0"
    ]
    assert made(lab.infra(folder, "down", "--yes", "bootstrap")) == []
    assert [m["state"] for m in lab.infra(folder, "status")["machines"]] == ["gone", "running"]
    assert f"create machine {name}-bootstrap" in made(lab.infra(folder, "up", "bootstrap"))
    assert [m["state"] for m in lab.infra(folder, "status")["machines"]] == ["shut off", "running"]
    lab.infra(folder, "up", "master-0", "--size", "master=1,512MiB,1GiB")
    assert [c for c in lab.infra(folder, "plan", "bootstrap")["changes"] if c["kind"] == "machine"] == []
    lab.infra(folder, "down", "--yes")


def test_what_hardway_yaml_says_needs_no_option(lab: Lab):
    folder = lab.cluster("settled", networking=networking(73))
    pool = str(folder / "elsewhere")
    infra = {"connect": lab.connect, "pool": pool, "accelerator": "tcg", "firmware": "bios", "vips": False}
    sizes = {"master": "2,512MiB,2GiB", "bootstrap": "1,384MiB,1GiB"}
    (folder / "hardway.yaml").write_text(yaml.safe_dump({"infra": {**infra, "sizes": sizes}}))

    def say(command: str, *words: str) -> dict:
        done = lab.hardway(folder, "infra", command, "-o", "json", *words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    say("up")
    status = say("status")
    assert status["hosts"][0]["pool"] == {"name": infra_id(folder), "state": "running", "folder": pool}
    assert status["hosts"][0]["network"]["vips"] == {}
    machine = lab.virsh("dumpxml", f"{infra_id(folder)}-master-0")
    assert "<vcpu placement='static'>2</vcpu>" in machine
    assert "firmware" not in machine
    assert say("plan") == {"changes": []}
    told = say("plan", "--vips", "--size", "master=1,512MiB,2GiB", "master-0")["changes"]
    reasons = "\n".join(reason for change in told for reason in change["reasons"])
    assert "vcpu is 2, should be 1" in reasons
    assert "ip[192.168.73.10]" in reasons
    say("down", "--yes")
    assert infra_id(folder) not in lab.names("net-list") | lab.names("pool-list")
    assert not Path(pool).exists()


def test_a_stranger_with_a_name_of_the_plan_is_refused_before_anything_is_changed(lab: Lab):
    folder = lab.cluster("strange", networking=networking(67))
    stranger = f"{infra_id(folder)}-master-0"
    define(lab, "define", FOREIGN_MACHINE.format(name=stranger))
    done = lab.hardway(folder, "infra", "up", "--connect", lab.connect)
    assert done.returncode == 3
    assert f"machine {stranger} is in libvirt without this cluster's mark" in done.stderr
    assert infra_id(folder) not in lab.names("net-list") | lab.names("pool-list")
    assert lab.infra(folder, "down", "--yes") == {"changes": []}
    assert stranger in lab.names("list")
    lab.virsh("undefine", stranger)


def test_an_existing_bridge_keeps_what_was_on_it(lab: Lab):
    folder = lab.cluster("bridged", networking=networking(68))
    lab.must("ip", "link", "add", "br-test", "type", "bridge")
    lab.must("ip", "address", "add", "192.168.68.11/32", "dev", "br-test")  # the ingress VIP, put there by its owner
    bridge = ("--bridge", "br-test")
    report = lab.infra(folder, "up", *bridge)
    assert [c["name"] for c in report["changes"] if c["kind"] == "address"] == ["192.168.68.10"]
    assert lab.infra(folder, "plan", *bridge) == {"changes": []}
    assert lab.infra(folder, "status", *bridge)["hosts"][0]["network"]["vips"] == {
        "192.168.68.10": True,
        "192.168.68.11": True,
    }
    lab.must("ip", "address", "del", "192.168.68.10/32", "dev", "br-test")  # as after a reboot of the host
    assert made(lab.infra(folder, "up", *bridge)) == ["add address 192.168.68.10"]
    lab.must("ip", "link", "add", "br-other", "type", "bridge")
    moved = made(lab.infra(folder, "up", "--bridge", "br-other"))
    assert {"remove address 192.168.68.10", "add address 192.168.68.10", "add address 192.168.68.11"} <= set(moved)
    assert lab.infra(folder, "plan", "--bridge", "br-other") == {"changes": []}
    lab.infra(folder, "up", *bridge)
    lab.must("ip", "link", "delete", "br-other")
    lab.infra(folder, "down", "--yes")
    found = json.loads(lab.must("ip", "-json", "address", "show", "dev", "br-test"))
    assert [a["local"] for a in found[0]["addr_info"] if a["family"] == "inet"] == ["192.168.68.11"]
    lab.must("ip", "link", "delete", "br-test")


def test_a_pool_that_was_stopped_is_started_before_its_disks_are_judged(lab: Lab):
    folder = lab.cluster("stopped", networking=networking(70))
    name = infra_id(folder)
    lab.infra(folder, "up")
    lab.virsh("pool-destroy", name)
    assert made(lab.infra(folder, "up")) == [f"start pool {name}"]
    assert lab.infra(folder, "plan") == {"changes": []}
    lab.virsh("pool-destroy", name)
    lab.infra(folder, "down", "--yes")
    assert name not in lab.names("pool-list")
    assert not (folder / "pool").exists()


def test_people_read_what_changes_and_nothing_is_removed_unasked(lab: Lab):
    folder = lab.cluster("people", networking=networking(71))
    name = infra_id(folder)
    options = ("--connect", lab.connect, "--pool", str(folder / "pool"), "--accelerator", "tcg")
    told = {c: lab.hardway(folder, "infra", c, *options) for c in ("plan", "up", "status", "down")}
    assert [t.returncode for t in told.values()] == [0, 0, 0, 2]
    assert f"create    machine  {name}-master-0\n" in told["plan"].stdout
    assert "8 CPUs, 32 GiB. The only master of a cluster without workers" in told["up"].stdout
    assert told["up"].stdout.endswith("10 changes made\n")
    assert f"machine  {name}-master-0" in told["status"].stdout
    assert "nothing was removed" in told["down"].stderr
    assert name in lab.names("net-list")
    lab.infra(folder, "down", "--yes")


def test_a_bridge_that_is_gone_does_not_stop_the_removal(lab: Lab):
    folder = lab.cluster("gone", networking=networking(69))
    lab.must("ip", "link", "add", "br-gone", "type", "bridge")
    lab.infra(folder, "up", "--bridge", "br-gone")
    lab.must("ip", "link", "delete", "br-gone")
    lab.infra(folder, "down", "--yes")
    assert infra_id(folder) not in lab.names("net-list")


@pytest.mark.parametrize(
    ("words", "exit_code", "message"),
    [
        (("plan", "master-7"), 2, "master-7: there is no such machine"),
        (("plan", "--size", "master=x"), 2, "fix: write it as master=4,16GiB,120GiB"),
        (("plan", "--connect", "hv2"), 2, "fix: write qemu:///system or qemu+ssh://root@host/system"),
        (("plan", "--bridge", "br-none"), 3, "fix: make the bridge br-none on the host"),
        (("plan", "--connect", "qemu+unix:///system?socket=/nowhere"), 3, "libvirt does not answer"),
    ],
)
def test_bad_input_is_one_clear_message(lab: Lab, tmp_path, words, exit_code, message):
    folder = lab.folder / "bad"
    if not folder.exists():
        lab.cluster("bad")
    connect = () if "--connect" in words else ("--connect", lab.connect)
    done = lab.hardway(folder, "infra", *words, *connect)
    assert (done.returncode, message in done.stderr, "Traceback" in done.stderr) == (exit_code, True, False), (
        done.stderr
    )
