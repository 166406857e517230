"""What the installation knows of a machine, in the real libvirt: its disk, its drive, its console. Nothing boots."""

from __future__ import annotations

import json
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardway.graph.store import Store
from hardway.libvirt.choices import Choices
from hardway.libvirt.fleet import open_fleet
from hardway.libvirt.storage import belongs
from hardway.model.errors import ConfigError
from hardway.rhcos.machine import Machine, machine_of
from hardway.rhcos.order import ORDER, waves
from hardway.rhcos.plan import Fate, decide
from hardway.rhcos.record import Entry, Record
from hardway.rhcos.watching import Watched
from hardway.workspace.folder import open_workspace
from tests.support.rhcos.lab import Site, site
from tests.support.trees import built

BEGUN = Entry(state="begun", at="2026-01-01T00:00:00Z", console=0, way="iso")
INSTALLED = Entry(state="installed", at="2026-01-01T00:00:00Z", console=0, way="iso")


@pytest.fixture(scope="module")
def place() -> Iterator[Site]:
    with site() as made:
        yield made


def machine(place: Site, name: str) -> Machine:
    workspace = open_workspace(place.folder)
    fleet = open_fleet(workspace, (), Choices(connect=place.lab.connect, pool=str(place.pool)))
    return machine_of(fleet, next(n for n in workspace.loaded.cluster.nodes if n.name == name))


def fate(of: Machine, entry: Entry | None, again: bool = False) -> Fate:
    return decide(of, entry, again=again).fate


def test_the_disk_has_the_last_word(place: Site):
    one = machine(place, "master-0")
    assert one.is_empty()
    assert [fate(one, entry) for entry in (None, BEGUN, INSTALLED)] == ["install"] * 3
    place.write_to_disk("master-0")
    assert not one.is_empty()
    assert (fate(one, BEGUN), fate(one, INSTALLED), fate(one, INSTALLED, again=True)) == (
        "install again",
        "installed",
        "install again",
    )
    with pytest.raises(ConfigError, match="its disk is not empty"):
        fate(one, None)
    size = one._volume("master-0.qcow2").findtext("capacity")
    one.wipe()
    assert (one.is_empty(), one._volume("master-0.qcow2").findtext("capacity")) == (True, size)
    assert place.lab.infra(place.folder, "plan")["changes"] == []


def test_the_medium_is_in_the_pool_for_qemu_alone_and_leaves_it(place: Site, tmp_path: Path):
    one = machine(place, "master-1")
    (tmp_path / "a.iso").write_bytes(b"first" * 1000)
    (tmp_path / "b.iso").write_bytes(b"second" * 1000)
    for name in ("a.iso", "b.iso"):
        one.insert(tmp_path / name)
        there = place.pool / "master-1.iso"
        assert there.read_bytes() == (tmp_path / name).read_bytes()
        assert stat.S_IMODE(there.stat().st_mode) == 0o600
        assert str(there) in place.lab.virsh("domblklist", one.name)
    assert place.lab.infra(place.folder, "plan")["changes"] == []
    one.eject()
    one.eject()
    assert not (place.pool / "master-1.iso").exists()
    assert ".iso" not in place.lab.virsh("domblklist", one.name)


def test_a_console_that_is_put_away_is_read_from_its_new_beginning(place: Site):
    """virtlogd begins a new file every two MiB."""
    one, log = machine(place, "master-2"), place.pool / "master-2-console.log"
    assert one.console_size() == 0
    log.write_bytes(b"of an earlier installation: Kernel panic - not syncing: x\n")
    watched = Watched(machine=one, offset=one.console_size(), deadline=time.monotonic() + 600)
    with log.open("ab") as file:
        file.write(b"[    0.1] Command line: coreos.liveiso=rhcos\xff\n")
    watched.look(lambda *_: None)
    assert (watched.watch.phases, watched.problem) == (["live"], "the machine is shut off")
    log.write_bytes(b"Install complete.\n")
    watched.look(lambda *_: None)
    assert (watched.watch.phases, list(watched.watch.met)) == (["live", "written"], [])


def test_logs_that_were_put_away_belong_to_the_machine():
    assert belongs("master-0-console.log.0", ["master-0"])
    assert not belongs("master-0-console.log.0", ["master-1"])
    assert not belongs("master-0-console.log.old", ["master-0"])


def test_every_role_has_its_wave():
    cluster = built("default").loaded.cluster
    found = [(wave.role, [n.name for n in nodes]) for wave, nodes in waves(reversed(cluster.nodes))]
    assert [role for role, _ in found] == ["bootstrap", "master", "worker"]
    assert sorted(name for _, names in found for name in names) == sorted(n.name for n in cluster.nodes)
    assert all(wave.why.what and wave.why.breaks and wave.why.source for wave in ORDER)


def test_two_installations_do_not_forget_each_others_machines(tmp_path: Path):
    first, second = Record(Store(tmp_path)), Record(Store(tmp_path))
    first.put("bootstrap", BEGUN)
    second.put("master-0", INSTALLED)
    first.put("bootstrap", INSTALLED)
    assert [Record(Store(tmp_path)).get(n) for n in ("bootstrap", "master-0")] == [INSTALLED, INSTALLED]
    first.forget("master-0")
    assert Record(Store(tmp_path)).get("master-0") is None
    path = tmp_path / "rhcos" / "installed.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text(json.dumps({"bootstrap": {"state": "installed", "color": "red"}}))
    with pytest.raises(ConfigError, match="is damaged"):
        Record(Store(tmp_path))
