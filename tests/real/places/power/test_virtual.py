"""Machines in a real libvirt, switched by the commands that work everywhere; `down` removes them and their record."""

from __future__ import annotations

import json

import pytest

from hardway.drive import record
from hardway.model.errors import ToolError
from hardway.places.power.choose import fleet_of, power_of
from hardway.places.power.virtual import Virtual
from hardway.places.remembered import kept, read
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.libvirt.host import libvirt
from tests.support.trees import build_folder, write_folder


@pytest.fixture(scope="module")
def lab():
    with libvirt() as started:
        yield started


@pytest.fixture(scope="module")
def folder(lab):
    """Built, and with its machines; their disks are empty."""
    config = install_config(1, 0, metadata={"name": "virtual"})
    made = build_folder(write_folder(lab.folder / "virtual", config)).folder
    lab.infra(made, "up")
    return made


def hardway(lab, folder, *words):
    done = lab.hardway(folder, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def machine(folder):
    return f"{(folder / 'assets/plan/infra-id').read_text()}-master-0"


def test_libvirt_switches_its_machines(lab, folder):
    state = lambda: lab.virsh("domstate", machine(folder)).strip()  # noqa: E731
    assert hardway(lab, folder, "start", "master-0") == "master-0 is on\n"
    assert state() == "running"
    seen = json.loads(hardway(lab, folder, "status", "-o", "json"))
    assert seen["place"] == {"kind": "libvirt", "socket": "", "connect": lab.connect}
    assert [(row["on"], row["answers"]) for row in seen["machines"]["nodes"]] == [(False, False), (True, False)]
    assert json.loads(hardway(lab, folder, "stop", "master-0", "--cut", "-o", "json")) == [
        {"node": "master-0", "state": "off"}
    ]
    assert state() == "shut off"


def test_a_machine_that_does_not_heed_its_power_button_is_cut_off(lab, folder):
    """Its firmware has found nothing to boot."""
    power = Virtual(fleet_of(open_workspace(folder)), seconds=2)
    power.on("master-0")
    power.on("master-0")
    assert power.state("master-0") == "on"
    power.off("master-0")
    power.off("master-0")
    assert power.state("master-0") == "off"


def test_down_removes_the_machines_and_the_record_of_their_way(lab, folder):
    name = machine(folder)
    record.add(kept(folder), ["bootstrap-etcd"])
    planned = json.loads(hardway(lab, folder, "down", "--dry-run", "-o", "json"))
    assert (planned["records"], planned["left"]) == ([str(kept(folder))], [])
    refused = lab.hardway(folder, "down")
    assert (refused.returncode, name in lab.names("list")) == (2, True)
    power = power_of(open_workspace(folder))
    hardway(lab, folder, "down", "--yes")
    assert (name in lab.names("list"), read(folder)) == (False, None)
    assert record.reached(kept(folder)) == frozenset()
    with pytest.raises(ToolError, match=r"master-0: is not in libvirt .*\n    fix: make it with `hardway infra up"):
        power.on("master-0")
