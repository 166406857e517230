"""Which machine is on which libvirt host, and what each host is given. Nobody is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from hardway.libvirt.choices import Choices, choose
from hardway.libvirt.fleet import Fleet, open_fleet
from hardway.model.errors import ConfigError
from hardway.model.settings.infra import InfraSettings, MachineSize
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.trees import write_folder

HV2 = {"connect": "qemu+ssh://root@hv2/system"}


def fleet(folder: Path, hosts: dict[str, Any], choices: Choices, *named: str) -> Fleet:
    write_folder(folder, install_config())
    (folder / "hosts.yaml").write_text(yaml.safe_dump(hosts))
    (folder / "assets" / "plan").mkdir(parents=True)
    (folder / "assets" / "plan" / "cluster-id").write_text("6f2a5d36-9c3e-4c53-8d2c-3f6d1c1a5b11")
    (folder / "assets" / "plan" / "infra-id").write_text("ocp4-x7k2p")
    return open_fleet(open_workspace(folder), named, choices)


def on(**places: str) -> dict[str, Any]:
    return {name.replace("_", "-"): {"hypervisor": place} for name, place in places.items()}


def test_without_other_hosts_there_is_one_without_a_name(tmp_path):
    (only,) = fleet(tmp_path, {}, Choices(connect="qemu:///system")).sessions
    assert (only.name, len(only.here), only.choices.vips) == ("", 6, True)


def test_each_host_has_its_machines_its_bridge_and_its_pool(tmp_path):
    hypervisors = {"hv2": {**HV2, "bridge": "br7", "pool": "/data"}, "hv3": {"connect": "qemu+ssh://hv3/system"}}
    hosts = {"hypervisors": hypervisors, "hosts": on(master_1="hv2", master_2="hv3", worker_0="first")}
    first, second, third = fleet(tmp_path, hosts, Choices(bridge="br0", pool="/images"), "master-1").sessions
    assert [n.name for n in first.here] == ["bootstrap", "master-0", "worker-0", "worker-1"]
    assert [[n.name for n in s.here] for s in (second, third)] == [["master-1"], ["master-2"]]
    assert [[n.name for n in s.nodes] for s in (first, second, third)] == [[], ["master-1"], []]
    assert [(s.choices.bridge, s.choices.pool) for s in (first, second, third)] == [
        ("br0", "/images"),
        ("br7", "/data"),
        ("br0", "/images"),
    ]
    assert [s.choices.vips for s in (first, second, third)] == [True, False, False]


def test_a_host_by_its_own_name_in_the_api_is_found_by_its_name_in_the_plan(tmp_path):
    hosts = {"hypervisors": {"hv2": HV2}, "hosts": {"master-1": {"hostname": "control-1", "hypervisor": "hv2"}}}
    _, second = fleet(tmp_path, hosts, Choices(bridge="br0")).sessions
    assert [n.name for n in second.here] == ["control-1"]


def test_all_machines_on_another_host_need_no_bridge_and_have_the_load_balancer(tmp_path):
    names = ("bootstrap", "master_0", "master_1", "master_2", "worker_0", "worker_1")
    first, second = fleet(
        tmp_path, {"hypervisors": {"hv2": HV2}, "hosts": on(**dict.fromkeys(names, "hv2"))}, Choices()
    ).sessions
    assert (first.here, len(second.here), first.choices.vips, second.choices.vips) == ((), 6, False, True)


def test_a_network_that_ends_at_its_host_is_refused_for_two(tmp_path):
    hosts = {"hypervisors": {"hv2": {**HV2, "bridge": "br0"}}, "hosts": on(master_1="hv2")}
    with pytest.raises(ConfigError, match=r"those on first would not reach the others\.\n    fix: give each host"):
        fleet(tmp_path, hosts, Choices())


def test_the_command_line_wins_over_the_settings():
    size = MachineSize(vcpus=1, memory=2048, disk=30)
    settings = InfraSettings(bridge="br0", vips=False, sizes={"master": size, "worker": size})
    chosen = choose(settings, ["worker=2,1GiB,40GiB"], bridge="", vips=True, connect=None, firmware="bios")
    assert (chosen.bridge, chosen.vips, chosen.firmware, chosen.connect) == ("", True, "bios", "qemu:///system")
    assert {role: (s.vcpus, s.memory, s.disk) for role, s in chosen.sizes.items()} == {
        "master": (1, 2048, 30),
        "worker": (2, 1024, 40),
    }
    assert (choose(settings).bridge, choose(settings).vips) == ("br0", False)
