"""A machine of the plan boots under the real QEMU and says what it found: its card, its address, its disk."""

from __future__ import annotations

import time

import pytest

from hardway.infra.libvirt.machine import DRIVE, NIC
from hardway.stages.workspace import open_workspace
from tests.support.libvirt import Lab, libvirt
from tests.support.libvirt_guest import boot_image

SECONDS = 150


def told(lab: Lab, name: str, console) -> dict[str, str]:
    """What the guest said, once it has switched itself off."""
    for _ in range(SECONDS):
        if lab.virsh("domstate", name).strip() == "shut off":
            break
        time.sleep(1)
    text = console.read_text(errors="replace")
    lines = [line.partition("guest: ")[2].strip() for line in text.splitlines() if "guest: " in line]
    assert "end=1" in lines, f"the guest did not come to its end:\n{text[-2000:]}"
    return dict(line.split("=", 1) for line in lines)


@pytest.mark.parametrize("firmware", ["uefi", "bios"])
def test_a_machine_finds_the_card_the_address_and_the_disk_of_the_plan(firmware: str):
    """Its disk is empty, so that the CD-ROM, second in the boot order, is what boots."""
    with libvirt() as lab:
        folder = lab.cluster("guest")
        node = open_workspace(folder).loaded.cluster.masters[0]
        lab.infra(folder, "up", "--firmware", firmware)
        name = f"{(folder / 'assets' / 'plan' / 'infra-id').read_text()}-{node.name}"
        lab.virsh("change-media", name, DRIVE, str(boot_image()), "--insert", "--config")
        assert lab.infra(folder, "up", "--firmware", firmware, "--start", node.name)["started"] == [name]
        state = {m["node"]: m["state"] for m in lab.infra(folder, "status")["machines"]}
        assert state == {"bootstrap": "shut off", node.name: "running"}
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
        removed = [c["name"] for c in lab.infra(folder, "down", "--yes")["changes"]]
        assert f"{node.name}-console.log" in removed
        assert not (folder / "pool").exists()
