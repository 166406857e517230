"""A real firewalld on the host: machines reach the load balancer's ports at its addresses, and no other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.libvirt import Lab, libvirt

LISTEN = "import socket, sys; s = socket.create_server(('', int(sys.argv[1]))); print(1, flush=True); s.accept()"
CALL = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=5)"
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
        with machine(lab, lab.infra(folder, "status")["network"]["bridge"]) as caller:
            assert not reaches(lab, caller, GATEWAY, 6443)
        lab.infra(folder, "up")
        with machine(lab, lab.infra(folder, "status")["network"]["bridge"]) as caller:
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
