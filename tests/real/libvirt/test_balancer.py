"""The load balancer as services of the host: real libvirt, a real HAProxy from the real unit files, and a systemctl of
the test's own, because no systemd runs here."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hardway.libvirt.balancer.unit import ADDRESSES, BALANCER
from hardway.libvirt.balancer.wanted import config_path, files, socket_path, unit_name, unit_path
from hardway.libvirt.identity import Identity, read_identity
from hardway.network.haproxy.runtime import servers
from hardway.places.own.balancer import Socket
from hardway.places.remembered import Place, read
from hardway.workspace.folder import open_workspace
from tests.support.clusters import load_cluster
from tests.support.libvirt.host import HARDWAY, SMALL, Lab, libvirt
from tests.support.libvirt.systemctl import Systemd, installed
from tests.support.waiting import until

ME = Identity(cluster="ocp4.example.com", cluster_id="6f2a5d36-9c3e-4c53-8d2c-3f6d1c1a5b11", infra_id="ocp4-x7k2p")


@dataclass(frozen=True)
class Host:
    lab: Lab
    systemd: Systemd

    def hardway(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return self.lab.inside(*self.systemd.command(sys.executable, "-c", HARDWAY, "-C", str(folder), *words))

    def infra(self, folder: Path, command: str, *words: str) -> Any:
        options = ["--connect", self.lab.connect, "--pool", str(folder / "pool"), "--accelerator", "tcg", *SMALL]
        done = self.hardway(folder, "infra", command, *options, "-o", "json", *words)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def made(self, folder: Path, command: str, *words: str) -> list[str]:
        """What it changed of files and services."""
        found = self.infra(folder, command, *words)["changes"]
        return [f"{c['action']} {c['name']}" for c in found if c["kind"] in ("file", "service")]

    def listens(self, address: str) -> set[int]:
        """The ports, without that of libvirt's name server."""
        rows = [line.split()[3] for line in self.lab.must("ss", "-Hltn").splitlines()]
        return {int(row.rpartition(":")[2]) for row in rows if row.rpartition(":")[0] == address} - {53}


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    """What a test leaves in it ends with it."""
    with libvirt() as lab:
        yield Host(lab, installed(lab.folder / "h"))


def networking(number: int) -> dict[str, object]:
    return {"networkType": "OVNKubernetes", "machineNetwork": [{"cidr": f"192.168.{number}.0/24"}]}


def identity_of(folder: Path) -> Identity:
    return read_identity(folder / "assets", open_workspace(folder).loaded.cluster)


def test_systemd_itself_accepts_the_units(tmp_path):
    made = files(load_cluster().cluster, ME, "br-0", ["192.168.126.10", "192.168.126.11"], ())
    units = [tmp_path / path.rpartition("/")[2] for path in made if path.endswith(".service")]
    for path, text in made.items():
        (tmp_path / path.rpartition("/")[2]).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    ours = [line for line in done.stderr.splitlines() if "hardway-" in line]
    assert (len(units), done.returncode, ours) == (2, 0, [])


def test_up_runs_haproxy_status_and_down_know_it_and_the_pivot_uses_its_socket(host: Host):
    folder = host.lab.cluster("served", networking=networking(81))
    me = identity_of(folder)
    unit, config = unit_name(me, BALANCER), config_path(me)
    wanted = [f"create {config}", f"create {unit_path(me, BALANCER)}", f"autostart {unit}", f"start {unit}"]
    assert host.made(folder, "up", "--dry-run") == wanted
    assert not host.systemd.path(config).exists()
    assert host.made(folder, "up") == wanted
    assert host.infra(folder, "up") == {"changes": [], "started": []}
    assert (host.listens("192.168.81.10"), host.listens("192.168.81.11")) == ({6443, 22623}, {80, 443})
    assert host.infra(folder, "status")["hosts"][0]["services"] == [
        {"name": unit, "state": "running", "autostart": True}
    ]
    assert read(folder) == Place(kind="libvirt", connect=host.lab.connect, socket=socket_path(me))

    balancer = Socket(host.systemd.path(socket_path(me)))
    assert balancer.state("bootstrap") == "down", "nobody is there yet"
    balancer.drop("bootstrap")
    assert balancer.state("bootstrap") == "out"

    assert host.made(folder, "down", "--yes") == [
        f"remove {unit}",
        f"remove {config}",
        f"remove {unit_path(me, BALANCER)}",
    ]
    assert host.listens("192.168.81.10") == set()
    left = [path for path in (config, unit_path(me, BALANCER), socket_path(me)) if host.systemd.path(path).exists()]
    assert (left, host.systemd.path("/etc/hardway").exists()) == ([], False)


def test_a_machine_that_is_gone_leaves_the_configuration_without_a_restart(host: Host):
    folder = host.lab.cluster("drifts", networking=networking(84))
    me = identity_of(folder)
    unit = unit_name(me, BALANCER)
    host.infra(folder, "up")
    first = host.systemd.pid(unit)
    host.infra(folder, "down", "--yes", "bootstrap")
    assert host.made(folder, "up") == [f"change {config_path(me)}", f"reload {unit}"]
    until(lambda: {s.name for s in servers(host.systemd.path(socket_path(me)))} == {"master-0"})
    assert host.systemd.pid(unit) == first, "the master process stays"
    host.lab.must(*host.systemd.command("systemctl", "disable", unit))


def test_addresses_on_a_bridge_come_back_with_their_service(host: Host):
    folder = host.lab.cluster("bridged", networking=networking(82))
    me = identity_of(folder)
    host.lab.must("ip", "link", "add", "br-served", "type", "bridge")
    names = [unit_name(me, unit) for unit in (ADDRESSES, BALANCER)]
    made = host.made(folder, "up", "--bridge", "br-served")
    assert [row for row in made if row.startswith("start")] == [f"start {name}" for name in names]
    assert host.listens("192.168.82.10") == {6443, 22623}
    host.lab.must("ip", "address", "flush", "dev", "br-served")  # as after a reboot of the host
    host.lab.must(*host.systemd.command("systemctl", "restart", names[0]))
    shown = json.loads(host.lab.must("ip", "-json", "address", "show", "dev", "br-served"))
    assert [a["local"] for a in shown[0]["addr_info"] if a["family"] == "inet"] == ["192.168.82.10", "192.168.82.11"]
    removed = host.made(folder, "up", "--bridge", "br-served", "--no-balancer")
    assert removed[:2] == [f"remove {name}" for name in reversed(names)]
    assert host.listens("192.168.82.10") == set()
    assert read(folder) == Place(kind="libvirt", connect=host.lab.connect), "its socket is forgotten with it"


def test_a_port_that_another_program_has_and_a_strangers_unit_are_told(host: Host):
    folder = host.lab.cluster("taken", networking=networking(83))
    me = identity_of(folder)
    stranger = host.systemd.path(unit_path(me, BALANCER))
    options = ("infra", "up", "--connect", host.lab.connect, "--pool", str(folder / "pool"), "--accelerator", "tcg")
    stranger.parent.mkdir(parents=True, exist_ok=True)
    stranger.write_text("[Service]\nExecStart=/bin/true\n")
    refused = host.hardway(folder, *options)
    assert (refused.returncode, f"{unit_path(me, BALANCER)} is there without" in refused.stderr) == (3, True)
    assert me.infra_id not in host.lab.names("net-list"), "nothing was changed"
    stranger.unlink()

    listen = "import socket; s = socket.create_server(('', 6443)); print(1, flush=True); s.accept()"
    command = ["ip", "netns", "exec", host.lab.namespace, sys.executable, "-c", listen]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"1\n"
        failed = host.hardway(folder, *options)
        other.kill()
    assert failed.returncode == 3
    assert "cannot bind socket (Address already in use) for [192.168.83.10:6443]" in failed.stderr, failed.stderr
    assert "leave this service out with --no-balancer" in failed.stderr
