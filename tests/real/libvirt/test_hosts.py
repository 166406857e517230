"""Machines on two real libvirts, the second reached over a real ssh: each host has its own, and nothing twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from hardway.model.errors import ToolError
from hardway.tools.virsh import Virsh
from tests.support.libvirt.host import SMALL
from tests.support.libvirt.remote import BRIDGE, THERE, Pair, link_addresses, pair

API, INGRESS = "192.168.126.10", "192.168.126.11"


@pytest.fixture(scope="module")
def two() -> Iterator[Pair]:
    with pair() as made:
        yield made


def spread(two: Pair, name: str, *, bridge: str = BRIDGE, **hosts: str) -> Path:
    """A cluster folder on the near host whose machines are where `hosts` says."""
    folder = two.near.cluster(name, 3, 0)
    write_hosts(two, folder, **hosts)
    infra = {"connect": two.near.connect, "pool": str(folder / "pool"), "accelerator": "tcg", "bridge": bridge}
    (folder / "hardway.yaml").write_text(yaml.safe_dump({"infra": infra}))
    return folder


def write_hosts(two: Pair, folder: Path, **hosts: str) -> None:
    places = {name.replace("_", "-"): {"hypervisor": place} for name, place in hosts.items()}
    far = {"connect": two.remote, "pool": str(folder / "far-pool")}
    (folder / "hosts.yaml").write_text(yaml.safe_dump({"hypervisors": {"hv2": far}, "hosts": places}))


def infra(two: Pair, folder: Path, command: str, *words: str) -> Any:
    done = two.near.hardway(folder, "infra", command, *SMALL, "-o", "json", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def names(lab, folder: Path) -> set[str]:
    start = (folder / "assets" / "plan" / "infra-id").read_text()
    return {n.removeprefix(f"{start}-") for n in lab.names("list") if n.startswith(start)}


def test_each_host_gets_its_machines_and_down_removes_them_from_both(two: Pair):
    folder = spread(two, "spread", master_1="hv2", master_2="hv2")
    planned = infra(two, folder, "plan")["changes"]
    assert {c["host"] for c in planned} == {"first", "hv2"}
    assert names(two.near, folder) | names(two.far, folder) == set()
    assert infra(two, folder, "up")["changes"] == planned
    assert infra(two, folder, "plan") == {"changes": []}
    assert names(two.near, folder) == {"bootstrap", "master-0"}
    assert names(two.far, folder) == {"master-1", "master-2"}
    assert {API, INGRESS} <= link_addresses(two.near, BRIDGE), "the load balancer is on the first host"
    assert link_addresses(two.far, BRIDGE) == {THERE}

    status = infra(two, folder, "status")
    assert [(h["host"], h["network"]["state"], h["pool"]["state"]) for h in status["hosts"]] == [
        ("first", "running", "running"),
        ("hv2", "running", "running"),
    ]
    assert [(m["node"], m["host"]) for m in status["machines"]] == [
        ("bootstrap", "first"),
        ("master-0", "first"),
        ("master-1", "hv2"),
        ("master-2", "hv2"),
    ]
    told = two.near.hardway(folder, "infra", "status").stdout
    assert f"host     hv2{'':26}{two.remote}\n" in told

    infra(two, folder, "down", "--yes", "bootstrap")
    assert [m["state"] for m in infra(two, folder, "status")["machines"]] == ["gone", *["shut off"] * 3]
    assert [c["action"] for c in infra(two, folder, "up")["changes"]] == ["skip"]
    infra(two, folder, "down", "--yes")
    assert names(two.near, folder) | names(two.far, folder) == set()
    assert {API, INGRESS} & link_addresses(two.near, BRIDGE) == set()
    assert not (folder / "pool").exists()
    assert not (folder / "far-pool").exists()
    assert infra(two, folder, "down", "--yes") == {"changes": []}


def test_a_nat_network_for_machines_on_two_hosts_is_refused(two: Pair):
    folder = spread(two, "cut", bridge="", master_1="hv2")
    done = two.near.hardway(folder, "infra", "up")
    assert done.returncode == 2
    assert "a NAT network ends at its host" in done.stderr
    assert "fix: give each host a bridge" in done.stderr
    assert names(two.near, folder) == set()


def test_a_machine_that_is_planned_elsewhere_now_is_not_made_twice(two: Pair):
    folder = spread(two, "moved", master_1="hv2")
    infra(two, folder, "up")
    write_hosts(two, folder)
    done = two.near.hardway(folder, "infra", "up", *SMALL)
    assert done.returncode == 3
    assert "master-1 is on host hv2, and planned on first" in done.stderr
    assert [m["node"] for m in infra(two, folder, "status")["leftOver"]] == ["master-1"]
    infra(two, folder, "down", "--yes", "master-1")
    assert {c["host"] for c in infra(two, folder, "up")["changes"]} == {"first"}
    assert "master-1" in names(two.near, folder)
    infra(two, folder, "down", "--yes")
    assert names(two.near, folder) | names(two.far, folder) == set()


def test_the_same_libvirt_under_two_names_is_refused(two: Pair):
    folder = spread(two, "same", master_1="hv2")
    done = two.near.hardway(folder, "infra", "plan", "--connect", two.remote)
    assert (done.returncode, "hv2 is the libvirt of --connect" in done.stderr) == (2, True)


def test_a_host_that_cannot_be_reached_is_one_clear_message(two: Pair):
    folder = spread(two, "deaf", master_1="hv2")
    uri = two.remote.replace(":2222", ":2223")
    done = two.near.hardway(folder, "infra", "plan", "--connect", uri)
    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    assert "Connection refused" in done.stderr


def test_the_reason_of_ssh_is_told_whenever_virsh_meets_its_end(tmp_path: Path):
    """An ssh that ends at once: virsh reads its words, finds a closed socket, or is ended by its own write."""
    ssh = tmp_path / "ssh"
    ssh.write_text("#!/bin/sh\necho 'ssh: connect to host far port 22: Connection refused' >&2\nexit 255\n")
    ssh.chmod(0o755)
    virsh = Virsh(connect=f"qemu+ssh://root@far/system?command={ssh}")
    for _ in range(12):
        with pytest.raises(ToolError, match=r"^libvirt does not answer at .*: ssh: connect .* Connection refused\n"):
            virsh("list")


def test_everything_on_a_remote_host_with_addresses_and_firewall_over_ssh():
    """The load balancer is on the far host: its addresses and its firewall are changed there, not here."""
    with pair(firewall=True) as two:
        folder = spread(two, "remote")
        (folder / "hosts.yaml").unlink()
        connect = ("--connect", two.remote)
        opened = [c for c in infra(two, folder, "up", *connect)["changes"] if c["kind"] == "firewall"]
        assert len(opened) == 4
        assert infra(two, folder, "plan", *connect) == {"changes": []}
        assert {API, INGRESS, THERE} == link_addresses(two.far, BRIDGE)
        assert API not in link_addresses(two.near, BRIDGE)
        rules = set(two.far.must("firewall-cmd", "--zone=trusted", "--list-rich-rules").splitlines())
        assert {c["name"] for c in opened} == rules
        assert names(two.far, folder) == {"bootstrap", "master-0", "master-1", "master-2"}
        assert names(two.near, folder) == set()
        infra(two, folder, "down", "--yes", *connect)
        assert link_addresses(two.far, BRIDGE) == {THERE}
        assert two.far.must("firewall-cmd", "--zone=trusted", "--list-rich-rules").strip() == ""
        assert two.far.must("firewall-cmd", "--permanent", "--zone=trusted", "--list-rich-rules").strip() == ""
        assert names(two.far, folder) == set()
        own = [call for call in two.calls if "BatchMode=yes" in call]
        assert any("ip address add" in call for call in own)
        assert all(f"-i {two.far.folder}/key" in call for call in two.calls)
