"""The device policy of a lab, on real control groups of both kinds: what is not on the list cannot be opened."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hardway.lab import cgroups, devices

OPENED = "echo $$ >{group}/cgroup.procs && : <{device}"


def hierarchy(version: str) -> Path | None:
    """One of this machine's that has devices to say something about."""
    places = cgroups.hierarchies()
    if version == "v2":
        return next((p for p in places if (p / "cgroup.controllers").exists()), None)
    return next((p for p in places if p.name == "devices"), None)


@pytest.fixture(params=[v for v in ("v1", "v2") if hierarchy(v)])
def group(request):
    above = hierarchy(request.param)
    assert above is not None
    place = above / f"hardway-devices-{os.getpid()}"
    place.mkdir()
    yield place
    place.rmdir()


@pytest.fixture
def disk(tmp_path):
    """A file of this machine's first block device, as a node's root would make one."""
    numbers = sorted(Path("/sys/class/block").glob("*/dev"))[0].read_text().strip().split(":")
    path = tmp_path / "disk"
    subprocess.run(["mknod", path, "b", *numbers], check=True)
    return path


def opened(group: Path, device: Path | str) -> str:
    """What the shell says of it, from inside the group; nothing, if it could be opened."""
    words = ["sh", "-c", OPENED.format(group=group, device=device)]
    return subprocess.run(words, capture_output=True, text=True, check=False).stderr


def test_a_disk_of_the_machine_cannot_be_opened_and_the_standard_devices_can(group, disk):
    assert opened(group, disk) == ""
    devices.restrict(group)
    assert "Operation not permitted" in opened(group, disk)
    assert "Operation not permitted" in opened(group, "/dev/kmsg")
    for name in ("null", "zero", "full", "random", "urandom", "ptmx"):
        assert opened(group, f"/dev/{name}") == ""


def test_files_of_devices_can_be_made_without_being_opened(group, tmp_path):
    devices.restrict(group)
    script = f"echo $$ >{group}/cgroup.procs && mknod {tmp_path}/made c 1 11 && mknod {tmp_path}/too b 259 0"
    subprocess.run(["sh", "-c", script], check=True)
    assert "Operation not permitted" in opened(group, tmp_path / "made")


def test_a_group_below_cannot_allow_itself_more(group, disk):
    devices.restrict(group)
    below = group / "below"
    below.mkdir()
    try:
        if (below / "devices.allow").exists():
            for rule in ("a", "b *:* rwm"):
                with pytest.raises(PermissionError):
                    (below / "devices.allow").write_text(rule)
        assert "Operation not permitted" in opened(below, disk)
    finally:
        below.rmdir()


def test_every_row_has_a_reason_and_stands_once():
    assert all(row.why for row in devices.TABLE)
    assert len({row.rule for row in devices.TABLE}) == len(devices.TABLE)
