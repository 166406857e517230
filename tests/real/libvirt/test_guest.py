"""A machine of the plan boots under the real QEMU and says what it found: its card, its address, its disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from hardway.libvirt.machine import DRIVE, NIC
from hardway.model.cluster import Cluster
from hardway.network.dns import dnsmasq
from hardway.workspace.folder import open_workspace
from tests.support.libvirt.guest import boot_image
from tests.support.libvirt.host import Lab, libvirt
from tests.support.netns import program
from tests.support.waiting import until

SECONDS = 300


def told(lab: Lab, name: str, console) -> dict[str, str]:
    """What the guest said, once it has switched itself off."""
    until(lambda: lab.virsh("domstate", name).strip() == "shut off", console.read_text, seconds=SECONDS)
    text = console.read_text(errors="replace")
    lines = [line.partition("guest: ")[2].strip() for line in text.splitlines() if "guest: " in line]
    assert "end=1" in lines, f"the guest did not come to its end:\n{text[-2000:]}"
    return dict(line.split("=", 1) for line in lines)


@contextmanager
def own_network(lab: Lab, cluster: Cluster, bridge: str) -> Iterator[None]:
    """A bridge that is there before the cluster, with the generated dnsmasq.conf and leases by the plan's MACs."""
    lab.must("ip", "link", "add", bridge, "type", "bridge")
    lab.must("ip", "address", "add", f"{cluster.gateways[0]}/24", "dev", bridge)
    lab.must("ip", "link", "set", bridge, "up")
    (lab.folder / "dnsmasq.conf").write_text(dnsmasq.config(cluster))
    leases = [f"--dhcp-host={node.mac},{node.address}" for node in cluster.nodes]
    command = ["dnsmasq", "-k", "-C", str(lab.folder / "dnsmasq.conf"), "--pid-file=", "--log-facility=-", *leases]
    command += [f"--dhcp-range={cluster.gateways[0]},static", f"--dhcp-leasefile={lab.folder}/leases"]
    with program(lab.namespace, command, lab.folder / "dnsmasq.log"):
        yield


@pytest.mark.parametrize(("firmware", "bridge"), [("uefi", ""), ("bios", ""), ("bios", "br-own")])
def test_a_machine_finds_the_card_the_address_and_the_disk_of_the_plan(firmware: str, bridge: str):
    """Its disk is empty, so that the CD-ROM, second in the boot order, is what boots."""
    with libvirt() as lab, ExitStack() as stack:
        folder = lab.cluster("guest")
        cluster = open_workspace(folder).loaded.cluster
        node = cluster.masters[0]
        if bridge:
            stack.enter_context(own_network(lab, cluster, bridge))
        options = ("--firmware", firmware, "--bridge", bridge)
        lab.infra(folder, "up", *options)
        name = f"{(folder / 'assets' / 'plan' / 'infra-id').read_text()}-{node.name}"
        lab.virsh("change-media", name, DRIVE, str(boot_image()), "--insert", "--config")
        assert lab.infra(folder, "up", *options, "--start", node.name)["started"] == [name]
        assert told(lab, name, folder / "pool" / f"{node.name}-console.log") == {
            "firmware": firmware,
            "cards": "1",
            "mac": node.mac,
            "name": NIC,
            "disk": str((1 << 30) // 512),
            "discard": "2147483136",
            "lease": node.address,
            "end": "1",
        }
        assert "-rtc base=utc" in (lab.folder / "log" / "qemu" / f"{name}.log").read_text()
        removed = [c["name"] for c in lab.infra(folder, "down", "--yes")["changes"]]
        assert f"{node.name}-console.log" in removed
        assert not (folder / "pool").exists()
