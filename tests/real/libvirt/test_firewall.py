"""What machines reach: the world through NAT, and with a real firewalld on the host the load balancer's ports at its
addresses and no other."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.libvirt.host import HARDWAY, Lab, libvirt

LISTEN = "import socket, sys; s = socket.create_server(('', int(sys.argv[1]))); print(1, flush=True); s.accept()"
CALL = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=5)"
TELL = (
    "import socket, sys; s = socket.create_server(('', int(sys.argv[1]))); print(1, flush=True); "
    "print(s.accept()[1][0], flush=True)"
)
HOST, WORLD = "203.0.113.1", "203.0.113.2"
API, INGRESS, GATEWAY, MACHINE = "192.168.126.10", "192.168.126.11", "192.168.126.1", "192.168.126.101"
RULE = f'rule family="ipv4" destination address="{INGRESS}" port port="80" protocol="tcp" accept'


def inside(namespace: str, *command: str) -> list[str]:
    return ["ip", "netns", "exec", namespace, *command]


@contextmanager
def machine(lab: Lab, bridge: str) -> Iterator[str]:
    """A machine's place on the bridge, as a network namespace from which a program can call."""
    name = f"{lab.namespace}-m"
    subprocess.run(["ip", "netns", "add", name], check=True)
    try:
        lab.must("ip", "link", "add", "port", "type", "veth", "peer", "name", "card", "netns", name)
        lab.must("ip", "link", "set", "port", "master", bridge, "up")
        subprocess.run(inside(name, "ip", "address", "add", f"{MACHINE}/24", "dev", "card"), check=True)
        subprocess.run(inside(name, "ip", "link", "set", "card", "up"), check=True)
        subprocess.run(inside(name, "ip", "route", "add", "default", "via", GATEWAY), check=True)
        yield name
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


@contextmanager
def world(lab: Lab) -> Iterator[str]:
    """A network outside that knows the host and has never heard of the machines' addresses."""
    name = f"{lab.namespace}-w"
    subprocess.run(["ip", "netns", "add", name], check=True)
    try:
        lab.must("ip", "link", "add", "uplink", "type", "veth", "peer", "name", "card", "netns", name)
        lab.must("ip", "address", "add", f"{HOST}/24", "dev", "uplink")
        lab.must("ip", "link", "set", "uplink", "up")
        subprocess.run(inside(name, "ip", "address", "add", f"{WORLD}/24", "dev", "card"), check=True)
        subprocess.run(inside(name, "ip", "link", "set", "card", "up"), check=True)
        yield name
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


def reaches(lab: Lab, caller: str, address: str, port: int) -> bool:
    """Somebody on the host listens on the port at every address: does the machine get through to this one?"""
    command = inside(lab.namespace, sys.executable, "-c", LISTEN, str(port))
    with subprocess.Popen(command, stdout=subprocess.PIPE) as listener:
        try:
            assert listener.stdout is not None
            assert listener.stdout.readline() == b"1\n"
            call = inside(caller, sys.executable, "-c", CALL, address, str(port))
            return subprocess.run(call, capture_output=True, check=False).returncode == 0
        finally:
            listener.kill()


def rich_rules(lab: Lab, *when: str) -> set[str]:
    return set(lab.must("firewall-cmd", *when, "--zone=libvirt", "--list-rich-rules").splitlines())


def test_the_load_balancers_ports_are_opened_for_machines_and_closed_again():
    with libvirt(firewall=True) as lab:
        before = rich_rules(lab), rich_rules(lab, "--permanent")
        folder = lab.cluster("walled")
        lab.infra(folder, "up", "--no-vips")
        with machine(lab, lab.infra(folder, "status")["hosts"][0]["network"]["bridge"]) as caller:
            assert not reaches(lab, caller, GATEWAY, 6443)
        lab.infra(folder, "up")
        with machine(lab, lab.infra(folder, "status")["hosts"][0]["network"]["bridge"]) as caller:
            ports = {API: (6443, 22623), INGRESS: (80, 443)}
            open_ = {(a, p) for a in (GATEWAY, API, INGRESS) for p in (80, 6443) if reaches(lab, caller, a, p)}
            assert open_ == {(API, 6443), (INGRESS, 80)}
            assert all(reaches(lab, caller, a, port) for a, found in ports.items() for port in found)
        lab.infra(folder, "down", "--yes")
        assert (rich_rules(lab), rich_rules(lab, "--permanent")) == before


def test_a_rule_that_the_hosts_owner_made_stays():
    with libvirt(firewall=True) as lab:
        lab.must("firewall-cmd", "--zone=libvirt", f"--add-rich-rule={RULE}")
        folder = lab.cluster("walled")
        opened = [c for c in lab.infra(folder, "up")["changes"] if c["kind"] == "firewall"]
        assert [c["action"] for c in opened] == ["add"] * 3  # 6443, 22623 and 443
        assert lab.infra(folder, "plan") == {"changes": []}
        removed = [c["name"] for c in lab.infra(folder, "down", "--yes")["changes"] if c["kind"] == "firewall"]
        assert sorted(removed) == sorted(c["name"] for c in opened)
        assert RULE in rich_rules(lab)


@pytest.mark.parametrize("firewall", [False, True], ids=["iptables", "firewalld"])
def test_machines_reach_the_world_under_the_hosts_address(firewall: bool):
    """Forwarding, and the NAT rules of libvirt, which a registry's answers need to find the way back."""
    with libvirt(firewall=firewall) as lab, world(lab) as outside:
        folder = lab.cluster("natted")
        lab.infra(folder, "up")
        with machine(lab, lab.infra(folder, "status")["hosts"][0]["network"]["bridge"]) as caller:
            command = inside(outside, sys.executable, "-c", TELL, "7777")
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listener:
                try:
                    assert listener.stdout is not None
                    assert listener.stdout.readline() == "1\n"
                    call = inside(caller, sys.executable, "-c", CALL, WORLD, "7777")
                    assert subprocess.run(call, capture_output=True, check=False).returncode == 0
                    assert listener.stdout.readline() == f"{HOST}\n"
                finally:
                    listener.kill()
        lab.infra(folder, "down", "--yes")


def stand_ins(folder: Path) -> Path:
    """A PATH with the real firewall-cmd, and programs that would change this machine as stand-ins that do nothing."""
    folder.mkdir()
    for name in ("apt-get", "dnf", "modprobe", "setsebool"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    (folder / "firewall-cmd").symlink_to(shutil.which("firewall-cmd") or "")
    return folder


def test_prerequisites_find_the_closed_zone_and_fix_opens_what_machines_need():
    with libvirt(firewall=True) as lab:
        folder = lab.cluster("mended")
        lab.infra(folder, "up", "--no-vips")
        path = f"PATH={stand_ins(folder / 'programs')}"

        def closed(*words: str) -> list[str]:
            words = (sys.executable, "-c", HARDWAY, "-C", str(folder), "prerequisites", "-o", "json", *words)
            report = json.loads(lab.inside("env", path, *words).stdout)
            return [f["message"] for f in report["findings"] if f["check"] == "host.firewall"]

        wanted = "zone libvirt does not let the machines in on 6443/tcp, 22623/tcp, 80/tcp, 443/tcp, 8443/tcp"
        assert closed() == [wanted]
        assert closed("--fix") == []
        assert closed() == []
        assert rich_rules(lab) == rich_rules(lab, "--permanent")
        with machine(lab, lab.infra(folder, "status")["hosts"][0]["network"]["bridge"]) as caller:
            assert [port for port in (8443, 6443) if reaches(lab, caller, GATEWAY, port)] == [8443]
        lab.infra(folder, "down", "--yes")
